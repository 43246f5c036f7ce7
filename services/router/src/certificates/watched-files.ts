/** Reads files at the start, and again from time to time, so that renewed ones need no restart. */
import { messageOf } from '@switchyard/values'
import { RouterConfigError } from '../settings/config-error.ts'

export type WatchOptions<Content> = {
  /** Milliseconds between two readings. */
  readonly interval: number
  /** Reads the files. Rejects if they cannot be used. */
  readonly read: () => Promise<Content>
  readonly isSame: (one: Content, other: Content) => boolean
  /** The files can be used, and have other contents than before. */
  readonly onRenewed: (content: Content) => void
  /** The files cannot be used, so the contents that were read before stay. Called once for each problem. */
  readonly onProblem: (reason: string) => void
  /** The files can be used, whether they were renewed or not. */
  readonly onRead?: (content: Content) => void
}

/** Files with their current contents. Disposing it stops watching them. */
export class WatchedFiles<Content> implements Disposable {
  readonly #options: WatchOptions<Content>
  readonly #timer: NodeJS.Timeout
  #current: Content
  /**
   * The problem of the files now. It is reported when it is seen the second time, since the first check may
   * have come while only some of the files were written.
   */
  #problem: { readonly text: string; told: boolean } | null = null

  /** Reads the files. Rejects if they cannot be used. */
  static async open<Content>(options: WatchOptions<Content>): Promise<WatchedFiles<Content>> {
    return new WatchedFiles(options, await options.read())
  }

  private constructor(options: WatchOptions<Content>, content: Content) {
    this.#options = options
    this.#current = content
    options.onRead?.(content)
    this.#timer = setInterval(() => this.look(), options.interval).unref()
  }

  get current(): Content {
    return this.#current
  }

  /** Checks the files at once. */
  look(): void {
    void this.#renew()
  }

  async #renew(): Promise<void> {
    const { read, isSame, onRenewed, onRead } = this.#options
    try {
      const content = await read()
      this.#problem = null
      if (!isSame(content, this.#current)) {
        this.#current = content
        onRenewed(content)
      }
      onRead?.(content)
    } catch (error) {
      // A RouterConfigError speaks of a start that failed; only its problems are of use here.
      this.#tell(error instanceof RouterConfigError ? error.problems.join('; ') : messageOf(error))
    }
  }

  #tell(text: string): void {
    if (this.#problem?.text !== text) this.#problem = { text, told: false }
    else if (!this.#problem.told) {
      this.#problem.told = true
      this.#options.onProblem(text)
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

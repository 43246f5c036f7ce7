/** Files that are read at the start, and again from time to time, so that renewed ones need no restart. */
import { RouterConfigError } from '../settings/config-error.ts'
import { messageOf } from '../errors/http-error.ts'

export type WatchOptions<Content> = {
  /** Milliseconds. */
  readonly interval: number
  /** Throws where the files cannot be used. */
  readonly read: () => Promise<Content>
  readonly isSame: (one: Content, other: Content) => boolean
  /** The files can be used, and hold something else than before. */
  readonly onRenewed: (content: Content) => void
  /** The files cannot be used, and what was read before stays. Called once for each problem. */
  readonly onProblem: (reason: string) => void
  /** The files were found to be usable, renewed or not. */
  readonly onRead?: (content: Content) => void
}

/** Disposing ends the watching. */
export class WatchedFiles<Content> implements Disposable {
  readonly #options: WatchOptions<Content>
  readonly #timer: NodeJS.Timeout
  #current: Content
  /**
   * What is wrong with the files now. It is told when it is seen the second time, since the first look may
   * have come while only some of the files were written.
   */
  #problem: { readonly text: string; told: boolean } | null = null

  /** Throws what reading throws. */
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

  /** Looks at the files at once. */
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

/**
 * Work on what a log says: looked for whenever it is woken, tried again for as long as it fails, and ended by
 * a record that this program does not understand, since going on behind it would carry out something that
 * nobody decided.
 */
import { Backoff } from '@switchyard/service-kit'
import { RecordNotUnderstoodError } from '../log/errors.ts'
import { Wakeup } from './wakeup.ts'

export type SteadyWorkOptions = {
  readonly signal: AbortSignal
  /** Everything is done, an attempt failed, or the work ended. */
  readonly onChange: () => void
  /** Once per outage, however many attempts fail. */
  readonly onFailed: (error: unknown) => void
  /** Called for each attempt that failed. */
  readonly onEachFailure?: () => void
  /** A record was not understood. */
  readonly onEnded: (error: unknown) => void
}

export class SteadyWork {
  readonly #options: SteadyWorkOptions
  readonly #wakeup = new Wakeup()
  #problem: string | null = null
  #ended = false

  constructor(options: SteadyWorkOptions) {
    this.#options = options
  }

  /** There may be something to do. */
  wake(): void {
    this.#wakeup.notify()
  }

  /** Waits until it is woken, or for so many milliseconds. */
  async pause(milliseconds: number): Promise<void> {
    await this.#wakeup.wait(this.#options.signal, milliseconds)
  }

  /** The reason why the last attempt failed, until everything is done again; null if all is well. */
  get problem(): string | null {
    return this.#problem
  }

  get ended(): boolean {
    return this.#ended
  }

  /**
   * `step` does some of it and says whether that was all there is to do for now. Resolves when the work ended
   * or is aborted.
   */
  async run(step: () => Promise<'done' | 'more'>): Promise<void> {
    const { signal, onChange, onFailed, onEachFailure, onEnded } = this.#options
    const backoff = new Backoff()
    while (!signal.aborted) {
      try {
        const outcome = await step()
        backoff.reset()
        if (outcome === 'more') continue
        this.#problem = null
        onChange()
        await this.#wakeup.wait(signal)
      } catch (error) {
        if (signal.aborted) return
        const isFirst = this.#problem === null
        this.#problem = error instanceof Error ? error.message : String(error)
        if (error instanceof RecordNotUnderstoodError) {
          this.#ended = true
          onEnded(error)
          return onChange()
        }
        if (isFirst) onFailed(error)
        onEachFailure?.()
        onChange()
        await this.#wakeup.wait(signal, backoff.pause())
      }
    }
  }
}

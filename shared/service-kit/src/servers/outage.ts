/**
 * Whether something that this service needs is away, and why. Told once per outage, however often it is
 * noticed.
 */
import { messageOf } from '@switchyard/values'

export class Outage {
  readonly #onBegin: (error: unknown) => void
  #problem: string | null = null

  constructor(onBegin: (error: unknown) => void) {
    this.#onBegin = onBegin
  }

  /** The newest reason; null while all is well. */
  get problem(): string | null {
    return this.#problem
  }

  noticed(error: unknown): void {
    if (this.#problem === null) this.#onBegin(error)
    this.#problem = messageOf(error)
  }

  over(): void {
    this.#problem = null
  }
}

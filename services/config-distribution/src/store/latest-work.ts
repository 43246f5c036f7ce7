/** Does one thing at a time in the background, and of what waits for its turn only the newest. */
export class LatestWork {
  readonly #onDone: () => void
  #running: Promise<void> | null = null
  #next: { readonly work: () => Promise<void>; readonly done: PromiseWithResolvers<void> } | null = null

  /** `onDone` is called whenever nothing is left to do. */
  constructor(onDone: () => void) {
    this.#onDone = onDone
  }

  /**
   * Resolves when `work` is done, or newer work that was asked for before its turn came. `work` must not
   * reject.
   */
  ask(work: () => Promise<void>): Promise<void> {
    const done = this.#next?.done ?? Promise.withResolvers<void>()
    this.#next = { work, done }
    this.#running ??= this.#run()
    return done.promise
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  /** Resolves when nothing is left to do. */
  async ended(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#next !== null) {
      const { work, done } = this.#next
      this.#next = null
      await work()
      done.resolve()
    }
    this.#running = null
    this.#onDone()
  }
}

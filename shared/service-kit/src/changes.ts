/**
 * Something became known: a record was read, a router was heard. Waiters look again at what they wait for.
 */
export class Changes {
  #next = Promise.withResolvers<void>()

  /**
   * Resolves at the next `notify`. Taken before a condition is looked at, so that no change is missed in
   * between.
   */
  get next(): Promise<void> {
    return this.#next.promise
  }

  notify(): void {
    const current = this.#next
    this.#next = Promise.withResolvers()
    current.resolve()
  }

  /** True as soon as the condition holds; false when the time is over or the signal aborts before. */
  async until(condition: () => boolean, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (condition()) return true
    if (timeoutMs <= 0 || signal.aborted) return false
    const over = Promise.withResolvers<true>()
    const end = () => over.resolve(true)
    const timer = setTimeout(end, timeoutMs)
    signal.addEventListener('abort', end, { once: true })
    try {
      for (;;) {
        const isOver = await Promise.race([this.#next.promise, over.promise])
        if (condition()) return true
        if (isOver === true) return false
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }
}

/** Lets a loop sleep until there is something to do. A call of `notify` before `wait` is not lost. */
export class Wakeup {
  #notified = false
  #wake: (() => void) | null = null

  notify(): void {
    this.#notified = true
    this.#wake?.()
  }

  /** Resolves at the next `notify`, after `timeoutMs` when given, or when the signal aborts. */
  async wait(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (!this.#notified && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(done, timeoutMs)
        const wake = done
        function done(): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        this.#wake = wake
        signal.addEventListener('abort', wake, { once: true })
      })
      this.#wake = null
    }
    this.#notified = false
  }
}

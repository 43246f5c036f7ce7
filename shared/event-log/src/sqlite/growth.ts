import type { LogName } from '../log/event-log.ts'

/**
 * How far each log has grown. Followers wait here instead of polling: the process that holds the database is
 * the only writer, so its own acknowledgements are all the news there is.
 */
export class Growth {
  readonly #heads: Record<LogName, number>
  readonly #waiting = new Set<() => void>()

  constructor(heads: Readonly<Record<LogName, number>>) {
    this.#heads = { ...heads }
  }

  head(log: LogName): number {
    return this.#heads[log]
  }

  advance(log: LogName, sequence: number): void {
    if (sequence <= this.#heads[log]) return
    this.#heads[log] = sequence
    this.wakeAll()
  }

  wakeAll(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  /** Resolves when something grew, at `wakeAll`, or when the signal aborts. The caller looks again. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve()
        return
      }
      const wake = (): void => {
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}

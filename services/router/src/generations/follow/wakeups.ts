/**
 * Decides when to look at the config store again: at a notice, or after the poll interval, since notices get
 * lost. Several notices that arrive before the next look count as one, and a flood of them leads to at most
 * ten looks a second, since the router does not control who publishes notices.
 */
import { setTimeout as delay } from 'node:timers/promises'

const SHORTEST_MS = 100
/** Milliseconds between a look and the next one that a notice causes. */
const SPACING_MS = 100

/** A notice that something new was published; `traceparent` is that of the publish. */
export type Notice = { readonly traceparent: string | null }

/** Says when to look for a new config: after a notice, or when it is time. */
export class Wakeups {
  #notice: Notice | null = null
  #wake: (() => void) | null = null
  #lookedAt = -SPACING_MS

  notify(notice: Notice): void {
    this.#notice = notice
    this.#wake?.()
  }

  /**
   * Waits for a notice; null if none came in this time. The jitter keeps a fleet from reading at the same
   * moment.
   */
  async next(milliseconds: number, signal: AbortSignal): Promise<Notice | null> {
    const tooSoon = this.#lookedAt + SPACING_MS - performance.now()
    if (this.#notice !== null && tooSoon > 0) await delay(tooSoon, undefined, { signal }).catch(() => {})
    if (this.#notice === null) {
      const woken = new AbortController()
      const wake = () => woken.abort()
      this.#wake = wake
      signal.addEventListener('abort', wake, { once: true })
      const jittered = Math.max(SHORTEST_MS, milliseconds * (0.8 + Math.random() * 0.4))
      await delay(jittered, undefined, { signal: woken.signal }).catch(() => {})
      signal.removeEventListener('abort', wake)
      this.#wake = null
    }
    const notice = this.#notice
    this.#notice = null
    this.#lookedAt = performance.now()
    return notice
  }
}

/**
 * When to look at the config store again: at a notice, or after the poll interval, since notices get lost. Notices that come
 * while nobody waits are one.
 */
import { setTimeout as delay } from 'node:timers/promises'

const SHORTEST_MS = 100

export type Notice = { readonly traceparent: string | null }

export class Wakeups {
  #notice: Notice | null = null
  #wake: (() => void) | null = null

  notify(notice: Notice): void {
    this.#notice = notice
    this.#wake?.()
  }

  /** The notice, or null when there was none in this time. The jitter keeps a fleet from reading at the same moment. */
  async next(milliseconds: number, signal: AbortSignal): Promise<Notice | null> {
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
    return notice
  }
}

/**
 * The sessions that were ended by signing out, so that a copy of their cookie is of no use here either. Only
 * this process knows them, until each would have ended by itself.
 */
import { SESSION_MS } from './session.ts'

/** Beyond this number the one that ended first is forgotten. */
const CAPACITY = 10_000

export class EndedSessions {
  readonly #now: () => number
  /** The time at which each session can be forgotten. The one that ended first comes first. */
  readonly #forgetAt = new Map<string, number>()

  /** `now` returns Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  has(id: string): boolean {
    return this.#forgetAt.has(id)
  }

  add(id: string): void {
    const now = this.#now()
    this.#forgetAt.set(id, now + SESSION_MS)
    for (const [oldest, forgetAt] of this.#forgetAt) {
      if (forgetAt > now && this.#forgetAt.size <= CAPACITY) return
      this.#forgetAt.delete(oldest)
    }
  }
}

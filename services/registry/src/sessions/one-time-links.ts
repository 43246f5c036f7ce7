/**
 * Links that begin one session: the secret is in the part of the URL that browsers send to nobody, and is
 * exchanged for a session once, within five minutes.
 *
 * Only the process that made a link knows it, so that two registries cannot both take it.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { KeyIdentity } from './session.ts'

const LINK_MS = 5 * 60_000
const SECRET_BYTES = 32
/** Beyond this number the oldest link ends early. */
const CAPACITY = 1000

type Waiting = { readonly who: KeyIdentity; readonly expiresAt: number }

export class OneTimeLinks {
  readonly #now: () => number
  /** Links by the hash of the secret, so that finding one takes a time that tells nothing about others. */
  readonly #waiting = new Map<string, Waiting>()

  /** `now` returns Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Makes a link whose session acts as this key. */
  make(who: KeyIdentity): { readonly secret: string; readonly expiresAt: number } {
    const now = this.#now()
    for (const [oldest, { expiresAt }] of this.#waiting) {
      if (expiresAt > now && this.#waiting.size < CAPACITY) break
      this.#waiting.delete(oldest)
    }
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const expiresAt = now + LINK_MS
    this.#waiting.set(hashOf(secret), { who, expiresAt })
    return { secret, expiresAt }
  }

  /** Null if the link is unknown, was used, or is too old. It is used up by this. */
  use(secret: string): KeyIdentity | null {
    const hash = hashOf(secret)
    const link = this.#waiting.get(hash)
    this.#waiting.delete(hash)
    return link === undefined || link.expiresAt <= this.#now() ? null : link.who
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

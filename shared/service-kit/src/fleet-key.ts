/**
 * The secret that routers share with those who count them. With it a heartbeat proves that a router sent it,
 * on this subject, and just now.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { CLOCK_TOLERANCE_MS } from '@switchyard/contracts'
import { z } from 'zod'

const MIN_LENGTH = 32
/**
 * A heartbeat that was recorded can be sent again for twice this time: `sentAt` may be ahead of the
 * receiver's clock at first.
 */
const REMEMBERED_MS = 2 * CLOCK_TOLERANCE_MS

/** Why a message is not believed. */
export type Disbelief = 'unsigned' | 'wrong-signature' | 'other-time' | 'repeated'

export class FleetKey {
  readonly #secret: Buffer

  constructor(secret: string | Uint8Array) {
    this.#secret = Buffer.from(secret)
  }

  /**
   * Signs for one sender: its times only increase, also where its clock is set back. They begin again where
   * it was so far ahead that whoever has the right time believed none of them. `now`: Unix milliseconds.
   */
  signer(now: () => number = Date.now): (subject: string, message: object) => object {
    let last = 0
    return (subject, message) => {
      const time = now()
      last = last - time > REMEMBERED_MS ? time : Math.max(time, last + 1)
      const signed = { ...message, sentAt: last }
      return { ...signed, mac: this.#macOf(subject, signed).toString('base64url') }
    }
  }

  /** For one receiver, which remembers what it has heard. */
  verifier(now: () => number = Date.now): FleetVerifier {
    return new FleetVerifier((subject, signed) => this.#macOf(subject, signed), now)
  }

  /** Parsed JSON is printed as it was before it was parsed, so that both sides hash the same text. */
  #macOf(subject: string, signed: object): Buffer {
    return createHmac('sha256', this.#secret)
      .update(`${subject}\n${JSON.stringify(signed)}`)
      .digest()
  }
}

export class FleetVerifier {
  readonly #macOf: (subject: string, signed: object) => Buffer
  readonly #now: () => number
  /** The latest time sent, by sender, the longest silent first. Only senders that have the key get in. */
  readonly #latest = new Map<string, { readonly sentAt: number; readonly heardAt: number }>()

  constructor(macOf: (subject: string, signed: object) => Buffer, now: () => number) {
    this.#macOf = macOf
    this.#now = now
  }

  /**
   * null: whoever sent it on this subject has the key, and it is newer than all that came from `sender`. The
   * signature is looked at before anything else, so that a forged message costs one hash and leaves nothing
   * behind.
   */
  disbelief(subject: string, sender: string, message: unknown): Disbelief | null {
    if (typeof message !== 'object' || message === null || !('mac' in message) || !('sentAt' in message)) {
      return 'unsigned'
    }
    const { mac, ...signed } = message
    if (typeof mac !== 'string' || !this.#isRight(subject, signed, mac)) return 'wrong-signature'
    const { sentAt } = signed
    const now = this.#now()
    if (typeof sentAt !== 'number' || Math.abs(now - sentAt) > CLOCK_TOLERANCE_MS) return 'other-time'
    this.#forget(now)
    const before = this.#latest.get(sender)
    if (before !== undefined && sentAt <= before.sentAt) return 'repeated'
    this.#latest.delete(sender)
    this.#latest.set(sender, { sentAt, heardAt: now })
    return null
  }

  #isRight(subject: string, signed: object, mac: string): boolean {
    const offered = Buffer.from(mac, 'base64url')
    try {
      const expected = this.#macOf(subject, signed)
      return offered.length === expected.length && timingSafeEqual(offered, expected)
    } catch {
      // Nested so deep that it cannot be printed: no router has sent it.
      return false
    }
  }

  #forget(now: number): void {
    for (const [sender, { heardAt }] of this.#latest) {
      if (Math.abs(now - heardAt) <= REMEMBERED_MS) return
      this.#latest.delete(sender)
    }
  }
}

/** `SWITCHYARD_FLEET_KEY`; the text is in no error. */
export const FleetKeyVariable = z
  .string()
  .regex(/^\S+$/, 'expected a key without white space')
  .min(MIN_LENGTH, `expected at least ${MIN_LENGTH} characters, for example of "openssl rand -base64 32"`)
  .transform((text) => new FleetKey(text))
  .optional()

/**
 * The secret that routers share with those who count them. With it a heartbeat proves that a router sent it,
 * on this subject, and just now.
 *
 * "Just now" is told by the clocks of both, and by a count that only increases while the sender runs. Where
 * the clocks differ, the count alone tells: what was sent by a running router can still not be sent again,
 * but whoever recorded a router that has ended can make it seem to run. A receiver chooses whether it takes
 * such heartbeats (`otherTimes`).
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
/**
 * The time that receivers remember who take heartbeats of any time. Only this memory shows them a repetition.
 */
const REMEMBERED_LONG_MS = 24 * 60 * 60_000
const MOST_REMEMBERED = 10_000

/** The reason why a message is not believed. */
export type Disbelief = 'unsigned' | 'wrong-signature' | 'other-time' | 'repeated'

/** The result of checking a message: the reason against it, or how far the sender's clock is ahead. */
export type HeartbeatJudgement =
  | { readonly disbelief: Disbelief }
  /** `clockAheadMs`: how far the clock of the sender is ahead of ours; 0 within what clocks may differ. */
  | { readonly disbelief: null; readonly clockAheadMs: number }

/** The last message that is remembered of a sender. */
type Latest = {
  readonly sentAt: number
  /** Absent from routers that are older than this member. */
  readonly beat: number | undefined
  readonly heardAt: number
}

export type VerifierOptions = {
  /** Unix milliseconds. */
  readonly now?: (() => number) | undefined
  /** Whether messages count whose sender has another time. */
  readonly otherTimes?: 'refused' | 'taken'
}

export class FleetKey {
  readonly #secret: Buffer

  constructor(secret: string | Uint8Array) {
    this.#secret = Buffer.from(secret)
  }

  /**
   * Makes a function that signs for one sender. Its times only increase, also where the clock is set back.
   * They begin again if the clock was so far ahead that no receiver with the right time believed them. `beat`
   * counts the messages, whatever the clock does. `now` returns Unix milliseconds.
   */
  signer(now: () => number = Date.now): (subject: string, message: object) => object {
    let last = 0
    let beat = 0
    return (subject, message) => {
      const time = now()
      last = last - time > REMEMBERED_MS ? time : Math.max(time, last + 1)
      beat += 1
      const signed = { ...message, sentAt: last, beat }
      return { ...signed, mac: this.#macOf(subject, signed).toString('base64url') }
    }
  }

  /** Makes a verifier for one receiver. It remembers the messages that it has checked. */
  verifier(options: VerifierOptions = {}): FleetVerifier {
    return new FleetVerifier((subject, signed) => this.#macOf(subject, signed), options)
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
  readonly #takesOtherTimes: boolean
  /** The latest message, by sender, the longest silent first. Only senders that have the key get in. */
  readonly #latest = new Map<string, Latest>()

  constructor(macOf: (subject: string, signed: object) => Buffer, { now, otherTimes }: VerifierOptions) {
    this.#macOf = macOf
    this.#now = now ?? Date.now
    this.#takesOtherTimes = otherTimes === 'taken'
  }

  /**
   * Judges a message. It is believed if its sender on this subject has the key, and if it is newer than all
   * messages that came from `sender`. The signature is checked before anything else, so that a forged message
   * costs one hash and leaves nothing behind.
   */
  judge(subject: string, sender: string, message: unknown): HeartbeatJudgement {
    if (typeof message !== 'object' || message === null || !('mac' in message) || !('sentAt' in message)) {
      return { disbelief: 'unsigned' }
    }
    const { mac, ...signed } = message
    if (typeof mac !== 'string' || !this.#isRight(subject, signed, mac)) {
      return { disbelief: 'wrong-signature' }
    }
    const { sentAt } = signed
    const now = this.#now()
    if (typeof sentAt !== 'number') return { disbelief: 'other-time' }
    const beat = 'beat' in signed && typeof signed.beat === 'number' ? signed.beat : undefined
    const clockAheadMs = Math.abs(sentAt - now) > CLOCK_TOLERANCE_MS ? sentAt - now : 0
    // Without a count nothing but its time tells that a message is new.
    if (clockAheadMs !== 0 && !(this.#takesOtherTimes && beat !== undefined)) {
      return { disbelief: 'other-time' }
    }
    this.#forget(now)
    const before = this.#latest.get(sender)
    const latest: Latest = { sentAt, beat, heardAt: now }
    if (before !== undefined && !isNewer(latest, before)) return { disbelief: 'repeated' }
    this.#latest.delete(sender)
    this.#latest.set(sender, latest)
    return { disbelief: null, clockAheadMs }
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
    const kept = this.#takesOtherTimes ? REMEMBERED_LONG_MS : REMEMBERED_MS
    for (const [sender, { heardAt }] of this.#latest) {
      if (Math.abs(now - heardAt) <= kept && this.#latest.size < MOST_REMEMBERED) return
      this.#latest.delete(sender)
    }
  }
}

/**
 * Whether a message is newer, by the counts if both have one. Times that are long ago tell nothing: clocks
 * may have been set since.
 */
function isNewer(message: Latest, before: Latest): boolean {
  if (message.beat !== undefined && before.beat !== undefined) return message.beat > before.beat
  return message.sentAt > before.sentAt || Math.abs(message.heardAt - before.heardAt) > REMEMBERED_MS
}

/** `SWITCHYARD_FLEET_KEY`; the text is in no error. */
export const FleetKeyVariable = z
  .string()
  .regex(/^\S+$/, 'expected a key without white space')
  .min(MIN_LENGTH, `expected at least ${MIN_LENGTH} characters, for example of "openssl rand -base64 32"`)
  .transform((text) => new FleetKey(text))
  .optional()

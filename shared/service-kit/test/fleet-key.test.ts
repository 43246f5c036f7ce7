import { createHmac } from 'node:crypto'
import { CLOCK_TOLERANCE_MS } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { FleetKey } from '../src/index.ts'

const SUBJECT = 'router.status.default.shop.r1'
const HEARTBEAT = {
  instance: 'r1',
  boot: 'b',
  revision: 7,
  flags: ['ä', '"'],
  rejected: { code: 'X' },
  nothing: null,
}
const START = 1_700_000_000_000

/** As a router signs that is older than the count. */
function signedAsBefore(signed: object): object {
  const text = `${SUBJECT}\n${JSON.stringify(signed)}`
  return { ...signed, mac: createHmac('sha256', 'a'.repeat(32)).update(text).digest('base64url') }
}

function set(secret = 'a'.repeat(32)) {
  const clocks = { sender: START, receiver: START }
  const key = new FleetKey(secret)
  const sign = key.signer(() => clocks.sender)
  const now = () => clocks.receiver
  const verifier = key.verifier({ now })
  const tolerant = key.verifier({ now, otherTimes: 'taken' })
  return {
    clocks,
    key,
    verifier,
    /** As it arrives: JSON, parsed. */
    send: (message: object = HEARTBEAT, subject = SUBJECT): object =>
      JSON.parse(JSON.stringify(sign(subject, message))),
    hear: (message: unknown, subject = SUBJECT, sender = 'r1') =>
      verifier.judge(subject, sender, message).disbelief,
    /** By a receiver that takes other times. */
    take: (message: unknown, sender = 'r1') => tolerant.judge(SUBJECT, sender, message),
  }
}

describe('a fleet key', () => {
  it('shows that a message is whole, was sent on this subject, and by somebody who has the key', () => {
    const { send, hear } = set()
    const message = send()
    expect(message).toMatchObject(HEARTBEAT)
    const forged = [
      [{ ...message, revision: 8 }, SUBJECT],
      [{ ...message, more: true }, SUBJECT],
      [{ ...message, sentAt: START + 5 }, SUBJECT],
      [{ ...message, mac: 'AAAA' }, SUBJECT],
      [{ ...message, mac: '' }, SUBJECT],
      [{ ...message, mac: 5 }, SUBJECT],
      [message, `${SUBJECT}2`],
      [set('b'.repeat(32)).send(), SUBJECT],
    ] as const
    for (const [text, subject] of forged) expect(hear(text, subject)).toBe('wrong-signature')
    for (const text of [HEARTBEAT, null, 'text', [], { ...message, mac: undefined }, { mac: 'x' }]) {
      expect(hear(JSON.parse(JSON.stringify(text)))).toBe('unsigned')
    }
    expect(hear(message)).toBeNull()
  })

  it('shows that it is new: what was heard before, or is from an earlier time, is not believed', () => {
    const { send, hear, clocks } = set()
    const first = send()
    const second = send()
    expect(hear(second)).toBeNull()
    expect(hear(second)).toBe('repeated')
    expect(hear(first)).toBe('repeated')
    expect(hear(send())).toBeNull()
    clocks.receiver += CLOCK_TOLERANCE_MS + 10
    expect(hear(first)).toBe('other-time')
    expect(hear(send())).toBe('other-time')
    clocks.sender = clocks.receiver + CLOCK_TOLERANCE_MS - 10
    expect(hear(send())).toBeNull()
    clocks.sender = clocks.receiver + CLOCK_TOLERANCE_MS + 10
    expect(hear(send())).toBe('other-time')
  })

  it('remembers a sender for as long as what he sent could be sent again', () => {
    const { send, hear, clocks } = set()
    clocks.sender = START + CLOCK_TOLERANCE_MS
    const message = send()
    expect(hear(message)).toBeNull()
    for (const minutes of [1, 2, 3]) {
      clocks.receiver = START + minutes * 60_000
      expect(hear(message)).toBe('repeated')
      clocks.sender = clocks.receiver
      expect(hear(send({ ...HEARTBEAT, instance: 'r2' }), SUBJECT, 'r2')).toBeNull()
    }
    clocks.receiver = START + 2 * CLOCK_TOLERANCE_MS + 1
    expect(hear(message)).toBe('other-time')
  })

  it('lets a sender go on whose clock is set back', () => {
    const { send, hear, clocks } = set()
    expect(hear(send())).toBeNull()
    clocks.sender -= 60_000
    expect(hear(send())).toBeNull()
    expect(hear(send())).toBeNull()
  })

  it('lets a sender go on whose clock was a day ahead, as soon as it is right again', () => {
    const { send, hear, clocks } = set()
    expect(hear(send())).toBeNull()
    clocks.sender += 24 * 60 * 60_000
    expect(hear(send())).toBe('other-time')
    clocks.sender = START + 1000
    const message = send()
    expect(hear(message)).toBeNull()
    expect(hear(message)).toBe('repeated')
    expect(hear(send())).toBeNull()
  })

  it('lets both go on where the clock of all of them was a day ahead', () => {
    const { send, hear, clocks } = set()
    clocks.sender = clocks.receiver = START + 24 * 60 * 60_000
    expect(hear(send())).toBeNull()
    clocks.sender = clocks.receiver = START
    expect(hear(send())).toBeNull()
  })

  it('shows a receiver that takes other times how far the clock is off, and what was sent before all the same', () => {
    const { send, take, clocks } = set()
    const day = 24 * 60 * 60_000
    const right = send()
    expect(take(right)).toEqual({ disbelief: null, clockAheadMs: 0 })
    for (const ahead of [day, -day, 3 * CLOCK_TOLERANCE_MS, 0]) {
      clocks.sender = clocks.receiver + ahead
      const message = send()
      const judged = take(message)
      expect(judged).toMatchObject({ disbelief: null })
      expect('clockAheadMs' in judged && Math.abs(judged.clockAheadMs - ahead) < 1000).toBe(true)
      expect(take(message)).toEqual({ disbelief: 'repeated' })
      expect(take(right)).toEqual({ disbelief: 'repeated' })
    }
    clocks.receiver += 3 * CLOCK_TOLERANCE_MS
    expect(take(right)).toEqual({ disbelief: 'repeated' })
    // Without a count nothing but the time shows that it is new.
    const { key } = set()
    const {
      beat: _,
      mac: __,
      ...unsigned
    } = key.signer(() => clocks.receiver + day)(SUBJECT, HEARTBEAT) as {
      beat: number
      mac: string
      sentAt: number
    }
    expect(take(signedAsBefore(unsigned))).toEqual({ disbelief: 'other-time' })
    expect(take(signedAsBefore({ ...unsigned, sentAt: clocks.receiver }), 'r2')).toMatchObject({
      disbelief: null,
    })
  })

  it('is not believed for something nested too deep to be printed', () => {
    const { hear } = set()
    const deep: unknown = JSON.parse(
      `{"mac":"AAAA","sentAt":1,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    )
    expect(hear(deep)).toBe('wrong-signature')
  })
})

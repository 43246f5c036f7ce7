/** What every event log promises, whatever keeps it. Run for each implementation by its own test file. */
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_RECORD_BYTES } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import {
  AppendConflictError,
  type EventLog,
  InvalidRecordError,
  InvalidSubjectError,
  type LogFilter,
  NotJson,
  Quarantine,
  RecordTooLargeError,
} from '../src/index.ts'
import { collect, startFollower } from './collect.ts'
import { waitFor } from '@switchyard/testkit'

export interface EventLogPlace extends AsyncDisposable {
  /** A log on the same records; the ones opened before are closed first when only one may be open. */
  open(): Promise<EventLog>
  /** Puts text that no append would write at the end of a subject. Nothing is open meanwhile. */
  damage(subject: string, text: string): Promise<void>
}

const SHOP = 'registry.events.shop'
const BANK = 'registry.events.bank'
const shop: LogFilter = { kind: 'subject', subject: SHOP }
const registry: LogFilter = { kind: 'log', log: 'registry' }

export function describeEventLog(name: string, openPlace: () => Promise<EventLogPlace>): void {
  describe(`event log on ${name}`, () => {
    it('gives records back in the order in which they were appended', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      const first = await log.append(SHOP, { n: 1 }, 0)
      const other = await log.append(BANK, { n: 2, text: 'grüße ✓' }, 0)
      const second = await log.append(SHOP, { n: 3 }, first)
      expect(await collect(log.read(shop, 1))).toEqual([
        { subject: SHOP, sequence: first, record: { n: 1 } },
        { subject: SHOP, sequence: second, record: { n: 3 } },
      ])
      expect(await collect(log.read(registry, 1))).toEqual([
        { subject: SHOP, sequence: first, record: { n: 1 } },
        { subject: BANK, sequence: other, record: { n: 2, text: 'grüße ✓' } },
        { subject: SHOP, sequence: second, record: { n: 3 } },
      ])
      expect(first).toBeGreaterThan(0)
      expect(other).toBeGreaterThan(first)
      expect(second).toBeGreaterThan(other)
    })

    it('reads from the middle, and nothing from behind the end or from an empty subject', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      const sequences = await appendMany(log, SHOP, 5)
      const from = sequences[2] ?? 0
      expect((await collect(log.read(shop, from))).map(({ sequence }) => sequence)).toEqual(
        sequences.slice(2),
      )
      expect(await collect(log.read(shop, (sequences[4] ?? 0) + 1))).toEqual([])
      expect(await collect(log.read({ kind: 'subject', subject: BANK }, 1))).toEqual([])
      expect(await collect(log.read({ kind: 'log', log: 'configs' }, 1))).toEqual([])
    })

    it('ends a read at what was there when it began', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      const sequences = await appendMany(log, SHOP, 3)
      const seen: number[] = []
      let last = sequences[2] ?? 0
      for await (const { sequence } of log.read(shop, 1)) {
        seen.push(sequence)
        last = await log.append(SHOP, { late: true }, last)
      }
      expect(seen).toEqual(sequences)
    })

    it('refuses an append whose expected sequence is not the last of its subject', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      const first = await log.append(SHOP, {}, 0)
      const second = await log.append(SHOP, {}, first)
      const refusal = await log.append(SHOP, {}, first).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(AppendConflictError)
      expect(refusal).toMatchObject({
        code: 'APPEND_CONFLICT',
        subject: SHOP,
        expectedLast: first,
        actualLast: second,
      })
      await expect(log.append(SHOP, {}, 0)).rejects.toThrow(AppendConflictError)
      await expect(log.append(BANK, {}, second)).rejects.toThrow(AppendConflictError)
      expect(await collect(log.read(registry, 1))).toHaveLength(2)
    })

    it('lets exactly one of eight writers win each turn', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      let last = 0
      for (let turn = 0; turn < 10; turn += 1) {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 8 }, (_, writer) => log.append(SHOP, { turn, writer }, last)),
        )
        const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
        const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
        expect(won).toHaveLength(1)
        expect(lost.every(({ reason }) => reason instanceof AppendConflictError)).toBe(true)
        last = won[0]?.value ?? 0
        expect((await log.last(shop))?.sequence).toBe(last)
      }
      expect(await collect(log.read(shop, 1))).toHaveLength(10)
    })

    it('shows every acknowledged append to last at once', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      expect(await log.last(shop)).toBeNull()
      expect(await log.last(registry)).toBeNull()
      let last = 0
      for (let n = 0; n < 50; n += 1) {
        last = await log.append(SHOP, { n }, last)
        expect(await log.last(shop)).toEqual({ subject: SHOP, sequence: last, record: { n } })
        expect((await log.last(registry))?.sequence).toBe(last)
      }
      const other = await log.append(BANK, {}, 0)
      expect((await log.last(shop))?.sequence).toBe(last)
      expect((await log.last(registry))?.sequence).toBe(other)
    })

    it('follows from the middle on to what comes later', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      const sequences = await appendMany(log, SHOP, 4)
      await using one = startFollower(log, shop, sequences[2] ?? 0)
      await using all = startFollower(log, registry, 1)
      await waitFor('both followers to catch up', () => one.entries.length === 2 && all.entries.length === 4)
      const bank = await log.append(BANK, { of: 'bank' }, 0)
      const late = await log.append(SHOP, { late: true }, sequences[3] ?? 0)
      await waitFor(
        'both followers to see the new ones',
        () => one.entries.length === 3 && all.entries.length === 6,
      )
      expect(one.entries.map(({ sequence }) => sequence)).toEqual([...sequences.slice(2), late])
      expect(all.entries.map(({ sequence }) => sequence)).toEqual([...sequences, bank, late])
    })

    it('waits for the first record of a subject that has none yet', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      await using follower = startFollower(log, { kind: 'subject', subject: 'configs.shop.web' }, 1)
      await sleep(100)
      const sequence = await log.append('configs.shop.web', { revision: 1 }, 0)
      await waitFor('the follower to see it', () => follower.entries.length === 1)
      expect(follower.entries[0]?.sequence).toBe(sequence)
    })

    it('gives a slow follower every record that fast writers append meanwhile', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      const stop = new AbortController()
      const seen: number[] = []
      const reading = (async () => {
        for await (const { sequence } of log.follow(registry, 1, stop.signal)) {
          seen.push(sequence)
          if (seen.length % 50 === 0) await sleep(20)
          if (seen.length === 600) stop.abort()
        }
      })()
      const written = await Promise.all([appendMany(log, SHOP, 300), appendMany(log, BANK, 300)])
      await reading
      expect(seen).toEqual(written.flat().toSorted((a, b) => a - b))
    })

    it('ends a follower whose signal aborts, while it waits and before it starts', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      const stop = new AbortController()
      const waiting = collect(log.follow(shop, 1, stop.signal))
      await sleep(50)
      stop.abort()
      expect(await waiting).toEqual([])
      expect(await collect(log.follow(shop, 1, stop.signal))).toEqual([])
    })

    it('fails a follower whose log is closed under it', async () => {
      await using place = await openPlace()
      const log = await place.open()
      await using follower = startFollower(log, shop, 1)
      await sleep(50)
      await log[Symbol.asyncDispose]()
      expect(await follower.ended).toMatchObject({ code: 'EVENT_LOG_UNAVAILABLE' })
      await expect(log.append(SHOP, {}, 0)).rejects.toMatchObject({ code: 'EVENT_LOG_UNAVAILABLE' })
      await expect(log.last(shop)).rejects.toMatchObject({ code: 'EVENT_LOG_UNAVAILABLE' })
    })

    it('takes a record of the largest size and refuses a larger one', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      const largest = 'x'.repeat(MAX_RECORD_BYTES - 2)
      await log.append(SHOP, largest, 0)
      expect((await log.last(shop))?.record).toBe(largest)
      const refusal = log.append(BANK, 'é'.repeat(MAX_RECORD_BYTES / 2), 0)
      await expect(refusal).rejects.toThrow(RecordTooLargeError)
      expect(await log.last({ kind: 'subject', subject: BANK })).toBeNull()
    })

    it('refuses what is no record and what is no subject', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      await expect(log.append(SHOP, undefined, 0)).rejects.toThrow(InvalidRecordError)
      await expect(log.append(SHOP, 1n, 0)).rejects.toThrow(InvalidRecordError)
      for (const subject of [
        'registry.events.',
        'registry.events.*',
        'registry.events.a b',
        'other.shop',
        'registry',
      ]) {
        await expect(log.append(subject, {}, 0)).rejects.toThrow(InvalidSubjectError)
      }
      expect(await log.last(registry)).toBeNull()
    })

    it('hands on what is not JSON as what it is, and goes on behind it', async () => {
      await using place = await openPlace()
      const before = await place.open()
      const good = await before.append(SHOP, { good: true }, 0)
      await before[Symbol.asyncDispose]()
      await place.damage(SHOP, '{"cut')
      await using log = await place.open()
      const entry = { subject: SHOP, sequence: good + 1, record: new NotJson('{"cut') }
      expect(await log.last(shop)).toEqual(entry)
      const after = await log.append(SHOP, { good: 2 }, good + 1)
      await using follower = startFollower(log, shop, 1)
      await waitFor('three entries', () => follower.entries.length === 3)
      expect(follower.entries.map(({ sequence }) => sequence)).toEqual([good, good + 1, after])
      expect((await collect(log.read(registry, good + 1)))[0]).toEqual(entry)
    })

    it('reads as if what is no record were not there, and appends behind it', async () => {
      await using place = await openPlace()
      const before = await place.open()
      await before[Symbol.asyncDispose]()
      for (const text of ['', 'not json']) await place.damage(SHOP, text)
      const logged: object[] = []
      const quarantine = async () => {
        const log = await place.open()
        const reasonAgainst = (_log: string, record: unknown) => (record === 'bad' ? 'bad' : null)
        const logger = { error: (facts: object) => void logged.push(facts) }
        return new Quarantine({ log, logger, reasonAgainst })
      }
      const first = await quarantine()
      expect(await first.log.last(shop)).toBeNull()
      expect(await collect(first.log.read(registry, 1))).toEqual([])
      expect(await first.log.append(SHOP, { number: 1 }, 0)).toBe(3)
      await first.log[Symbol.asyncDispose]()
      for (let count = 0; count < 70; count++) await place.damage(SHOP, '"bad"')

      const second = await quarantine()
      expect([second.warning, second.count]).toEqual([null, 0])
      await using records = second.log
      expect(await records.last(shop)).toMatchObject({ sequence: 3, record: { number: 1 } })
      expect(await records.last(registry)).toMatchObject({ sequence: 3 })
      await expect(records.append(SHOP, { number: 2 }, 0)).rejects.toThrow(AppendConflictError)
      await using follower = startFollower(records, shop, 1)
      expect(await records.append(SHOP, { number: 2 }, 3)).toBe(74)
      await expect(records.append(SHOP, { number: 3 }, 3)).rejects.toThrow(AppendConflictError)
      expect(await records.append(SHOP, { number: 3 }, 74)).toBe(75)
      await waitFor('three records', () => follower.entries.length === 3)
      expect(follower.entries.map(({ record }) => record)).toEqual([
        { number: 1 },
        { number: 2 },
        { number: 3 },
      ])
      expect(second.count).toBe(72)
      expect(second.warning).toContain('72 records are quarantined')
      expect(second.warning).toContain(`(${SHOP}: not JSON)`)
      // Once each for the first reader, and once each for the second.
      expect(logged.filter((facts) => 'sequence' in facts && facts.sequence === 1)).toHaveLength(2)
      expect(logged).toContainEqual({
        event: 'log.record-quarantined',
        log: 'registry',
        subject: SHOP,
        sequence: 4,
        reason: 'bad',
      })
    })

    it('lists the subjects of a log in order', async () => {
      await using place = await openPlace()
      await using log = await place.open()
      expect(await log.subjects('registry')).toEqual([])
      await log.append(SHOP, {}, 0)
      await log.append(BANK, {}, 0)
      await log.append('registry.events._system', {}, 0)
      await log.append('configs.shop.web', {}, 0)
      expect(await log.subjects('registry')).toEqual(['registry.events._system', BANK, SHOP])
      expect(await log.subjects('configs')).toEqual(['configs.shop.web'])
    })

    it('has everything again after it was closed and opened', async () => {
      await using place = await openPlace()
      const before = await place.open()
      const sequences = await appendMany(before, SHOP, 20)
      await before[Symbol.asyncDispose]()
      await using log = await place.open()
      expect((await collect(log.read(shop, 1))).map(({ sequence }) => sequence)).toEqual(sequences)
      const next = await log.append(SHOP, {}, sequences[19] ?? 0)
      expect(next).toBeGreaterThan(sequences[19] ?? 0)
    })
  })
}

async function appendMany(log: EventLog, subject: string, count: number): Promise<number[]> {
  const sequences: number[] = []
  for (let n = 0; n < count; n += 1) {
    sequences.push(await log.append(subject, { n }, sequences.at(-1) ?? 0))
  }
  return sequences
}

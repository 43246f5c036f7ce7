/**
 * What a quarantine does where timing or numbers matter; what it does on real logs is in
 * event-log.contract.ts.
 */
import { describe, expect, it } from 'vitest'
import { AppendConflictError, type EventLog, type LogEntry, NotJson, Quarantine } from '../src/index.ts'
import { collect } from './collect.ts'

const SUBJECT = 'compositions.default.shop'
const filter = { kind: 'subject', subject: SUBJECT } as const

/** A log in memory. `beforeAppend` runs before each append and may add entries, as another writer would. */
function logOf(entries: LogEntry[], beforeAppend: (attempt: number) => void = () => {}): EventLog {
  let attempts = 0
  const since = async function* (from: number) {
    yield* entries.filter(({ sequence }) => sequence >= from)
  }
  return {
    async append(subject, record, expectedLast) {
      attempts += 1
      beforeAppend(attempts)
      const end = entries.at(-1)?.sequence ?? 0
      if (end !== expectedLast) throw new AppendConflictError(subject, expectedLast, end)
      entries.push({ subject, sequence: end + 1, record })
      return end + 1
    },
    read: (_filter, from) => since(from),
    follow: (_filter, from) => since(from),
    last: async () => entries.at(-1) ?? null,
    subjects: async () => [SUBJECT],
    async [Symbol.asyncDispose]() {},
  }
}

const entry = (sequence: number, record: unknown): LogEntry => ({ subject: SUBJECT, sequence, record })
const garbage = (sequence: number) => entry(sequence, new NotJson('not json'))

function quarantine(log: EventLog) {
  const logged: { readonly event: string }[] = []
  const logger = { error: (facts: { readonly event: string }) => void logged.push(facts) }
  return { logged, quarantine: new Quarantine({ log, logger, reasonAgainst: () => null }) }
}

describe('a quarantine', () => {
  it('lets a record that comes between its look and its append win, as a conflict', async () => {
    const entries = [entry(1, 'first'), garbage(2)]
    const log = logOf(entries, (attempt) => {
      if (attempt === 2) entries.push(entry(3, 'of another writer'))
    })
    const { quarantine: quarantined } = quarantine(log)
    await expect(quarantined.log.append(SUBJECT, 'mine', 1)).rejects.toThrow(AppendConflictError)
    expect(entries.map(({ record }) => record)).not.toContain('mine')
  })

  it('does not append over a record that stands before the garbage', async () => {
    const entries = [entry(1, 'first'), entry(2, 'of another writer'), garbage(3)]
    const { quarantine: quarantined } = quarantine(logOf(entries))
    await expect(quarantined.log.append(SUBJECT, 'mine', 1)).rejects.toThrow(AppendConflictError)
    expect(await quarantined.log.append(SUBJECT, 'mine', 2)).toBe(4)
  })

  it('finds the last record also when more garbage came behind it since it looked', async () => {
    const entries = [entry(1, 'first'), garbage(2)]
    const { quarantine: quarantined } = quarantine(logOf(entries))
    expect(await quarantined.log.last(filter)).toMatchObject({ sequence: 1 })
    entries.push(garbage(3))
    expect(await quarantined.log.last(filter)).toMatchObject({ sequence: 1 })
    entries.push(entry(4, 'second'), garbage(5))
    expect(await quarantined.log.last(filter)).toMatchObject({ sequence: 4 })
  })

  it('skips a flood whole, and tells of the first thousand and once that there is more', async () => {
    const entries = Array.from({ length: 1500 }, (_, index) => garbage(index + 1))
    const { logged, quarantine: quarantined } = quarantine(logOf([...entries, entry(1501, 'good')]))
    for (let reader = 0; reader < 2; reader++) {
      expect((await collect(quarantined.log.read(filter, 1))).map(({ sequence }) => sequence)).toEqual([1501])
    }
    const count = (event: string) => logged.filter((facts) => facts.event === event).length
    expect([count('log.record-quarantined'), count('log.quarantine-flooded')]).toEqual([1000, 1])
    expect(quarantined.warning).toMatch(/^at least 1000 records are quarantined/)
    expect(quarantined.warning?.length).toBeLessThan(600)
  })
})

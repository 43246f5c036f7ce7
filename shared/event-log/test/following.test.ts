import { describe, expect, it } from 'vitest'
import { parseRecord } from '@switchyard/contracts'
import { z } from 'zod'
import { followLog, whenAvailable } from '../src/following/follow-log.ts'
import {
  type EventLog,
  EventLogUnavailableError,
  openSqliteEventLog,
  parsedRecord,
  RecordNotUnderstoodError,
  Wakeup,
} from '../src/index.ts'
import { temporaryDirectory, waitFor } from '@switchyard/testkit'

const SUBJECT = 'registry.events.shop'
const filter = { kind: 'log', log: 'registry' } as const
const Numbered = z.object({ number: z.int() })

describe('following a log for as long as a service lives', () => {
  it('goes on where it was after the log was away, without missing or repeating a record', async () => {
    await using place = await openLog()
    await place.append({ number: 1 }, { number: 2 })
    const stop = new AbortController()
    const seen: number[] = []
    const failures: unknown[] = []
    let away = 2
    const done = followLog({
      log: breaking(place.log, () => {
        if (away === 0 || seen.length === 0) return
        away -= 1
        throw new EventLogUnavailableError('it is away')
      }),
      filter,
      from: 1,
      signal: stop.signal,
      onEntry: (entry) => void seen.push(parsedRecord(entry, Numbered).number),
      onUnavailable: (error) => void failures.push(error),
    })
    await waitFor('all records', () => seen.length === 2)
    await place.append({ number: 3 })
    await waitFor('the third record', () => seen.length === 3)
    stop.abort()
    await done
    expect(seen).toEqual([1, 2, 3])
    expect(failures).toHaveLength(2)
  })

  it('stops before a record that it cannot understand and names its sequence', async () => {
    await using place = await openLog()
    await place.append({ number: 1 }, { number: 'two' }, { number: 3 })
    const seen: number[] = []
    const failure = await followLog({
      log: place.log,
      filter,
      from: 1,
      signal: new AbortController().signal,
      onEntry: (entry) => void seen.push(parsedRecord(entry, Numbered).number),
      onUnavailable: () => {},
    }).catch((error: unknown) => error)
    expect(seen).toEqual([1])
    expect(failure).toBeInstanceOf(RecordNotUnderstoodError)
    expect(failure).toMatchObject({ code: 'RECORD_NOT_UNDERSTOOD', subject: SUBJECT, sequence: 2 })
    expect(String(failure)).toContain('sequence 2')
  })

  it('looks no further than the first thing that is wrong with a record', () => {
    const List = z.object({ items: z.array(z.object({ name: z.string(), age: z.int() })) })
    const record = { items: [{ name: 'a', age: 1 }, ...Array.from({ length: 5000 }, () => ({}))] }
    let error: unknown
    try {
      parseRecord(List, record)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(z.ZodError)
    expect(error).toMatchObject({ issues: [{ path: ['items', 1, 'name'] }] })
    expect(parseRecord(List, { items: record.items.slice(0, 1) })).toEqual({ items: [{ name: 'a', age: 1 }] })
  })

  it('ends without an error when it is told to stop while the log is away', async () => {
    await using place = await openLog()
    const stop = new AbortController()
    await followLog({
      log: breaking(place.log, () => {
        throw new EventLogUnavailableError('it is away')
      }),
      filter,
      from: 1,
      signal: stop.signal,
      onEntry: () => {},
      onUnavailable: () => stop.abort(),
    })
    expect(stop.signal.aborted).toBe(true)
  })
})

describe('a step that needs the storage', () => {
  it('is repeated until the storage is there', async () => {
    const failures: unknown[] = []
    const patience = {
      signal: new AbortController().signal,
      onUnavailable: (error: unknown) => failures.push(error),
    }
    const result = await whenAvailable(patience, async () => {
      if (failures.length < 2) throw new EventLogUnavailableError('it is away')
      return 'read'
    })
    expect([result, failures.length]).toEqual(['read', 2])
  })

  it('is not repeated when something else is wrong', async () => {
    const patience = { signal: new AbortController().signal, onUnavailable: () => {} }
    const step = async () => {
      throw new TypeError('a mistake')
    }
    await expect(whenAvailable(patience, step)).rejects.toThrow('a mistake')
  })

  it('gives nothing when waiting was ended', async () => {
    const stop = new AbortController()
    const step = async () => {
      throw new EventLogUnavailableError('it is away')
    }
    const patience = { signal: stop.signal, onUnavailable: () => stop.abort() }
    expect(await whenAvailable(patience, step)).toBeNull()
  })
})

describe('a loop that sleeps', () => {
  const { signal } = new AbortController()

  it('is woken by a call that came before it slept, and once only', async () => {
    const wakeup = new Wakeup()
    wakeup.notify()
    await wakeup.wait(signal)
    let woken = false
    const second = wakeup.wait(signal).then(() => {
      woken = true
    })
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    expect(woken).toBe(false)
    wakeup.notify()
    await second
  })

  it('is woken by its time limit and by the signal', async () => {
    const wakeup = new Wakeup()
    await wakeup.wait(signal, 1)
    const stop = new AbortController()
    const waiting = wakeup.wait(stop.signal)
    stop.abort()
    await waiting
    expect(stop.signal.aborted).toBe(true)
  })
})

async function openLog() {
  const directory = await temporaryDirectory()
  const { log, ...storage } = await openSqliteEventLog({ dataDir: directory.path })
  let last = 0
  return {
    log,
    async append(...records: readonly unknown[]) {
      for (const record of records) last = await log.append(SUBJECT, record, last)
    },
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

/** The log, asking before each entry whether it is there. */
function breaking(log: EventLog, check: () => void): EventLog {
  return {
    append: (subject, record, expectedLast) => log.append(subject, record, expectedLast),
    read: (query, from) => log.read(query, from),
    async *follow(query, from, signal) {
      check()
      for await (const entry of log.follow(query, from, signal)) {
        check()
        yield entry
      }
    },
    last: (query) => log.last(query),
    subjects: (name) => log.subjects(name),
    async [Symbol.asyncDispose]() {},
  }
}

/** Minutes of workers that a test tells, by a clock of the test. */
import { afterEach, describe, expect, it } from 'vitest'
import type { UsageOfMinute } from '../../src/concerns/usage/usage-reports.ts'
import { UsageOfWorkers } from '../../src/workers/usage-of-workers.ts'
import { FakeWorker } from '../support/fake-workers.ts'

const START = Date.parse('2026-11-30T10:00:00Z')
const FIRST = START / 60_000

const usageOf = (minute: number, requests: number): UsageOfMinute => ({
  minute,
  since: minute,
  compositions: [{ artifact: 'a'.repeat(64), flag: null }],
  clients: [{ name: null, version: null }],
  operations: [{ hash: 'b'.repeat(64), name: 'Q', kind: 'query' }],
  rows:
    requests === 0
      ? []
      : [{ composition: 0, client: 0, operation: 0, requests, errors: 0, latency: [[4, requests]] }],
  rest: [],
  documents: [],
  values: [],
  untold: 0,
})

function begin(count: number) {
  let now = START
  const told: UsageOfMinute[] = []
  const usage = new UsageOfWorkers({ tell: (minute) => told.push(minute), second: 10, now: () => now })
  const workers: FakeWorker[] = []
  const start = usage.watching((number, listener) => {
    const worker = new FakeWorker(number, listener)
    workers.push(worker)
    return worker
  })
  const add = () => void start(workers.length + 1, NOBODY)
  for (let number = 0; number < count; number++) add()
  const to = (seconds: number) => {
    now = START + seconds * 1000
    usage.look()
  }
  open.push(usage)
  return {
    add,
    end: (worker: FakeWorker | undefined) => worker && usage.ended(worker),
    to,
    told,
    usage,
    workers,
  }
}
const NOBODY = { up() {}, changed() {}, accepted() {}, differences() {}, ended() {} }
const open: UsageOfWorkers[] = []
afterEach(() => {
  for (const usage of open.splice(0)) usage[Symbol.dispose]()
})

/** Minutes since the beginning, and their requests. */
const minutesOf = (told: readonly UsageOfMinute[]) =>
  told.map(({ minute, rows }) => [minute - FIRST, rows.reduce((sum, { requests }) => sum + requests, 0)])

describe('the usage of workers', () => {
  it('is told as a whole, at the second of the router', () => {
    const { to, told, workers } = begin(2)
    const [one, two] = workers
    to(61)
    one?.listener.usage?.(usageOf(FIRST, 3), false)
    two?.listener.usage?.(usageOf(FIRST, 4), false)
    to(69)
    expect(told).toEqual([])
    to(70)
    expect(minutesOf(told)).toEqual([[0, 7]])
    expect(told[0]?.rows).toEqual([
      { composition: 0, client: 0, operation: 0, requests: 7, errors: 0, latency: [[4, 7]] },
    ])
  })

  it('waits for a worker that is late, and leaves the minute out if it stays away', () => {
    const { to, told, workers } = begin(2)
    const [one, two] = workers
    one?.listener.usage?.(usageOf(FIRST, 3), false)
    to(119)
    expect(told).toEqual([])
    two?.listener.usage?.(usageOf(FIRST, 4), false)
    to(120)
    expect(minutesOf(told)).toEqual([[0, 7]])
    one?.listener.usage?.(usageOf(FIRST + 1, 1), false)
    one?.listener.usage?.(usageOf(FIRST + 2, 1), false)
    to(60 * 4 + 10)
    two?.listener.usage?.(usageOf(FIRST + 2, 2), false)
    two?.listener.usage?.(usageOf(FIRST + 3, 2), false)
    one?.listener.usage?.(usageOf(FIRST + 3, 1), false)
    to(60 * 4 + 11)
    expect(minutesOf(told)).toEqual([
      [0, 7],
      [2, 3],
      [3, 3],
    ])
  })

  it('leaves out the minutes that a crashed worker did not tell, and none of one that stopped', () => {
    const { add, end, to, told, workers } = begin(2)
    const [one, two] = workers
    to(65)
    one?.listener.usage?.(usageOf(FIRST, 3), false)
    two?.listener.usage?.(usageOf(FIRST, 4), false)
    end(two)
    add()
    to(130)
    one?.listener.usage?.(usageOf(FIRST + 1, 1), false)
    workers[2]?.listener.usage?.(usageOf(FIRST + 1, 1), false)
    workers[2]?.listener.usage?.(usageOf(FIRST + 2, 5), true)
    end(workers[2])
    to(190)
    one?.listener.usage?.(usageOf(FIRST + 2, 1), false)
    to(191)
    expect(minutesOf(told)).toEqual([
      [0, 7],
      [2, 6],
    ])
  })

  it('is told to the end when the router stops', () => {
    const { to, told, usage, workers } = begin(1)
    to(30)
    workers[0]?.listener.usage?.(usageOf(FIRST, 2), true)
    usage[Symbol.dispose]()
    expect(minutesOf(told)).toEqual([[0, 2]])
    open.length = 0
  })
})

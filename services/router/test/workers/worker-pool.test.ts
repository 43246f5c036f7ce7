import { createLogger } from '@switchyard/service-kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WorkerEvents } from '../../src/workers/events.ts'
import type { WorkerIntakeOutcome, WorkerSettingsOutcome } from '../../src/workers/worker.ts'
import { WorkerPool } from '../../src/workers/worker-pool.ts'
import { configOf, FakeWorker } from '../support/fake-workers.ts'
import type { NewerRollouts } from '../../src/generations/newer-rollouts.ts'
import type { LogLine } from '../support/router.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const fleet = { flagsInUse: ['next'], isHeard: true }

/** The workers that were started, in order. */
function poolOf(count: number, answer?: FakeWorker['answer']) {
  const workers: FakeWorker[] = []
  const ended: FakeWorker[] = []
  const logs: LogLine[] = []
  let changes = 0
  const hooks = { onChange: () => {}, newer: [] as readonly NewerRollouts[] }
  const to = { write: (line: string) => void logs.push(JSON.parse(line)) }
  const pool = new WorkerPool({
    count,
    start: (number, listener) => {
      const worker = new FakeWorker(number, listener)
      if (answer !== undefined) worker.answer = answer
      workers.push(worker)
      return worker
    },
    events: new WorkerEvents(createLogger({ name: 'router', to })),
    known: () => ({ fleet, stopped: [], newer: hooks.newer }),
    stopWithin: () => 5000,
    onChange: () => {
      changes++
      hooks.onChange()
    },
    onAccepted: () => {},
    onDifferences: () => {},
    onEnded: (worker) => void (worker instanceof FakeWorker && ended.push(worker)),
  })
  const logged = (event: string) => logs.filter((line) => line.event === event)
  return { pool, workers, ended, logged, hooks, changes: () => changes }
}

async function startedPool(count: number, answer?: FakeWorker['answer']) {
  const started = poolOf(count, answer)
  const starting = started.pool.start()
  for (const worker of started.workers) worker.listener.up()
  await starting
  return started
}

const nobody = (worker: FakeWorker | undefined): FakeWorker => {
  if (worker === undefined) throw new Error('there is no such worker')
  return worker
}

/** For promises to go on, without time passing. */
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('rollouts that newer manifests take back', () => {
  it('are told to all workers at once, and to one that starts before it is given a config', async () => {
    const { pool, workers, hooks } = await startedPool(2)
    hooks.onChange = () => pool.tell('')
    await pool.replace(configOf(1))
    const newer = [{ version: { epoch: 1, revision: 2 }, rollouts: [], flags: [] }]
    hooks.newer = newer
    pool.tell('')
    expect(workers.map(({ told }) => told.at(-1)?.newer)).toEqual([newer, newer])
    nobody(workers[0]).listener.ended({ code: 1, signal: null, failure: null })
    await vi.advanceTimersByTimeAsync(60_000)
    const third = nobody(workers[2])
    const givenBefore: number[] = []
    const tell = third.tell.bind(third)
    third.tell = (state) => {
      givenBefore.push(third.given.length)
      tell(state)
    }
    third.listener.up()
    await settle()
    expect([third.told.at(-1)?.newer, givenBefore[0], third.given.length]).toEqual([newer, 0, 1])
  })
})

describe('a config that workers are given', () => {
  it('is served when every worker serves it, and until then what the slowest one serves is', async () => {
    const { pool, workers } = await startedPool(3)
    await pool.replace(configOf(1))
    const slow = Promise.withResolvers<WorkerIntakeOutcome>()
    nobody(workers[1]).answer = () => slow.promise
    let isOver = false
    const replacing = pool.replace(configOf(2)).then(() => (isOver = true))
    await settle()
    expect([isOver, pool.serving?.config.version.revision]).toEqual([false, 1])
    slow.resolve({ kind: 'served' })
    await replacing
    expect(pool.serving?.config.version.revision).toBe(2)
  })

  it('has the flags that every worker serves', async () => {
    const { pool, workers } = await startedPool(2)
    const config = configOf(1, ['next', 'beta'])
    await pool.replace(config)
    nobody(workers[0]).serving = { config, flags: ['beta'] }
    expect(pool.serving?.flags).toEqual(['beta'])
  })

  it('is refused when no worker can serve it, with what they say, and no worker is replaced', async () => {
    const { pool, workers } = await startedPool(2)
    await pool.replace(configOf(1))
    for (const worker of workers) worker.answer = () => ({ kind: 'refused', reason: 'no such type' })
    await expect(pool.replace(configOf(2))).rejects.toMatchObject({
      code: 'MANIFEST_NOT_BUILT',
      message: 'no such type',
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([workers.length, pool.serving?.config.version.revision]).toEqual([2, 1])
  })

  it('is refused when every worker ends of it, and those that replace them serve what was served before', async () => {
    const { pool, workers } = await startedPool(2)
    await pool.replace(configOf(1))
    const deadly = configOf(2)
    for (const worker of workers) {
      worker.answer = () => {
        queueMicrotask(() => worker.end({ signal: 'SIGSEGV' }))
        return new Promise(() => {})
      }
    }
    await expect(pool.replace(deadly)).rejects.toMatchObject({
      code: 'MANIFEST_NOT_BUILT',
      message: 'Every worker that was given it came to its end.',
    })
    await vi.advanceTimersByTimeAsync(0)
    expect(workers).toHaveLength(4)
    for (const worker of workers.slice(2)) worker.listener.up()
    await settle()
    expect(workers.slice(2).flatMap(({ given }) => given.map((config) => config.version.revision))).toEqual([
      1, 1,
    ])
  })

  it('replaces a worker that alone cannot serve it, after it has finished what is in progress', async () => {
    const { pool, workers, logged } = await startedPool(2)
    await pool.replace(configOf(1))
    nobody(workers[1]).answer = () => ({ kind: 'refused', reason: 'out of memory' })
    await pool.replace(configOf(2))
    await settle()
    expect(nobody(workers[1]).calls).toEqual(['stop'])
    expect(logged('worker.retired')).toMatchObject([{ worker: 2, reason: 'out of memory' }])
    expect(pool.reachable).toEqual([workers[0]])
    expect(workers[2]?.number).toBe(2)
  })

  it('is given to a worker that comes up while others take it, after what was served before', async () => {
    const { pool, workers } = poolOf(2)
    const starting = pool.start()
    const [first, second] = [nobody(workers[0]), nobody(workers[1])]
    first.listener.up()
    await starting
    await pool.replace(configOf(1))
    const slow = Promise.withResolvers<WorkerIntakeOutcome>()
    first.answer = () => slow.promise
    const replacing = pool.replace(configOf(2))
    await settle()
    second.listener.up()
    await settle()
    slow.resolve({ kind: 'served' })
    await replacing
    expect(second.given.map((config) => config.version.revision)).toEqual([1, 2])
    expect(pool.serving?.config.version.revision).toBe(2)
  })

  it('waits for a worker where all have come to their end', async () => {
    const { pool, workers } = await startedPool(1)
    nobody(workers[0]).end({ code: 1 })
    let isOver = false
    const replacing = pool.replace(configOf(1)).then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(0)
    expect(isOver).toBe(false)
    nobody(workers[1]).listener.up()
    await replacing
    expect(pool.serving?.config.version.revision).toBe(1)
  })
})

describe('a worker that comes to its end', () => {
  it('is replaced at once by one of its number, which gets no clients before it serves', async () => {
    const { pool, workers, ended } = await startedPool(2)
    const config = configOf(1)
    await pool.replace(config)
    nobody(workers[0]).end({ signal: 'SIGKILL' })
    expect(ended).toEqual([workers[0]])
    await vi.advanceTimersByTimeAsync(0)
    const replacement = nobody(workers[2])
    expect(replacement.number).toBe(1)
    const taken = Promise.withResolvers<WorkerIntakeOutcome>()
    replacement.answer = () => taken.promise
    replacement.listener.up()
    await settle()
    expect(pool.reachable).toEqual([workers[1]])
    taken.resolve({ kind: 'served' })
    await settle()
    expect(pool.reachable).toEqual([workers[1], replacement])
  })

  it('again and again is replaced later and later, which the log says loudly', async () => {
    const { workers, logged } = await startedPool(1)
    for (let ends = 0; ends < 4; ends++) {
      const before = workers.length
      nobody(workers.at(-1)).end({ code: 134 })
      await vi.advanceTimersByTimeAsync(ends === 0 ? 0 : 500 * 2 ** (ends - 1) - 1)
      if (ends > 0) expect(workers).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(workers).toHaveLength(before + 1)
      nobody(workers.at(-1)).listener.up()
    }
    expect(logged('workers.ending-again')).toMatchObject([
      { level: 'fatal', ends: 2, delay: 500 },
      { ends: 3, delay: 1000 },
      { ends: 4, delay: 2000 },
    ])
  })

  it('before any was up ends the start, with what it said', async () => {
    const { pool, workers } = poolOf(2)
    const starting = pool.start()
    const failure = { code: 'CONFIG_INVALID', message: 'tls.cert_file: "x" holds no certificate' }
    nobody(workers[0]).end({ code: 1, failure })
    await expect(starting).rejects.toMatchObject(failure)
    expect(workers).toHaveLength(2)
  })

  it('is killed when it says nothing for half a minute', async () => {
    const { workers, logged } = await startedPool(2)
    nobody(workers[1]).silentFor = 31_000
    await vi.advanceTimersByTimeAsync(1000)
    expect(workers.slice(0, 2).map(({ calls }) => calls)).toEqual([[], ['kill']])
    expect(logged('worker.hung')).toMatchObject([{ worker: 2, seconds: 31 }])
  })
})

describe('a router with several workers', () => {
  it('is ready when half of them serve, and says so', async () => {
    const { pool, workers } = await startedPool(4)
    expect(pool.readiness('there is no config')).toEqual({ ok: false, reason: 'there is no config' })
    await pool.replace(configOf(1))
    expect(pool.readiness('')).toEqual({ ok: true })
    nobody(workers[0]).end()
    nobody(workers[1]).end()
    expect(pool.readiness('')).toEqual({ ok: true, warning: '2 of 4 workers serve' })
    nobody(workers[2]).end()
    expect(pool.readiness('')).toEqual({ ok: false, reason: '1 of 4 workers serve' })
  })

  it('tells each worker how all are, when that has changed', async () => {
    const { pool, workers } = await startedPool(2)
    await pool.replace(configOf(1))
    pool.tell('')
    pool.tell('')
    nobody(workers[1]).end()
    pool.tell('')
    const state = { waitingFor: '', fleet, stopped: [], newer: [] }
    expect(nobody(workers[0]).told).toEqual([
      { ready: { ok: true }, ...state },
      { ready: { ok: true, warning: '1 of 2 workers serve' }, ...state },
    ])
  })

  it('is not ready before they have compiled the flags in use, and prefers those that have', async () => {
    const { pool, workers } = await startedPool(2)
    for (const worker of workers) worker.isOpen = false
    await pool.replace(configOf(1, ['next']))
    expect(pool.readiness('')).toMatchObject({ ok: false, reason: expect.stringContaining('compiles') })
    expect(pool.reachable).toEqual(workers)
    nobody(workers[1]).isOpen = true
    expect(pool.readiness('')).toEqual({ ok: true, warning: '1 of 2 workers serve' })
    expect(pool.reachable).toEqual([workers[1]])
    nobody(workers[0]).flagsInUse = ['next']
    expect(pool.flagsInUse).toEqual(['next'])
  })

  it('stops when all workers have stopped, and replaces none of them', async () => {
    const { pool, workers } = await startedPool(2)
    let isOver = false
    const stopping = pool[Symbol.asyncDispose]().then(() => (isOver = true))
    expect(workers.map(({ calls }) => calls)).toEqual([['stop'], ['stop']])
    nobody(workers[0]).end({ code: 0 })
    await settle()
    expect(isOver).toBe(false)
    nobody(workers[1]).end({ code: 0 })
    await stopping
    await vi.advanceTimersByTimeAsync(60_000)
    expect(workers).toHaveLength(2)
  })

  it('kills workers that do not stop in time', async () => {
    const { pool, workers, logged } = await startedPool(2)
    const stopping = pool[Symbol.asyncDispose]()
    nobody(workers[0]).end({ code: 0 })
    await vi.advanceTimersByTimeAsync(5000)
    await stopping
    expect(nobody(workers[1]).calls).toEqual(['stop', 'kill'])
    expect(logged('worker.stop-limit')).toMatchObject([{ worker: 2 }])
  })

  it('gives up a config that workers are taking when it stops', async () => {
    const { pool, workers } = await startedPool(1, () => new Promise(() => {}))
    const replacing = pool.replace(configOf(1))
    await settle()
    const stopping = pool[Symbol.asyncDispose]()
    nobody(workers[0]).end({ code: 0 })
    await expect(replacing).resolves.toBeUndefined()
    await stopping
  })
})

describe('settings', () => {
  const decided = (workers: readonly FakeWorker[]) => workers.map(({ settings }) => settings.join())

  it('are put in force by all workers once none has anything against them', async () => {
    const { pool, workers } = await startedPool(3)
    const last = Promise.withResolvers<WorkerSettingsOutcome>()
    const [, , slow] = workers
    if (slow !== undefined) slow.preparing = last.promise
    let taken = 0
    const applied = pool.applySettings('one', () => taken++)
    await Promise.resolve()
    expect([decided(workers), taken]).toEqual([['one', 'one', 'one'], 0])
    last.resolve({ kind: 'prepared' })
    await applied
    expect([decided(workers), taken]).toEqual([['one,true', 'one,true', 'one,true'], 1])
  })

  it('are put in force by none where one has something against them', async () => {
    const { pool, workers } = await startedPool(3)
    const [, second] = workers
    if (second !== undefined) second.problems = ['there is no ca.pem']
    const taken = () => expect.unreachable()
    await expect(pool.applySettings('one', taken)).rejects.toMatchObject({ problems: ['there is no ca.pem'] })
    expect(decided(workers)).toEqual(['one,false', 'one,false', 'one,false'])
  })

  it('do not wait for a worker that comes to its end, and are told to who takes its place meanwhile', async () => {
    const { pool, workers } = await startedPool(2)
    const never = new Promise<never>(() => {})
    const [first, second] = workers
    if (first === undefined || second === undefined) throw new Error('two workers are expected')
    first.preparing = never
    const held = Promise.withResolvers<WorkerSettingsOutcome>()
    second.preparing = held.promise
    const applied = pool.applySettings('one', () => {})
    first.end()
    await vi.advanceTimersByTimeAsync(1000)
    held.resolve({ kind: 'prepared' })
    await applied
    await vi.advanceTimersByTimeAsync(0)
    expect(decided(workers)).toEqual(['one,true', 'one,true', 'one,true'])
  })

  it('that a worker alone cannot take, which came meanwhile, are its end', async () => {
    const { pool, workers, logged } = await startedPool(2)
    const [first, second] = workers
    if (first === undefined || second === undefined) throw new Error('two workers are expected')
    const held = Promise.withResolvers<WorkerSettingsOutcome>()
    second.preparing = held.promise
    const applied = pool.applySettings('one', () => {})
    first.end()
    await vi.advanceTimersByTimeAsync(1000)
    const [, , third] = workers
    if (third === undefined) throw new Error('a third worker is expected')
    third.problems = ['there is no ca.pem']
    held.resolve({ kind: 'prepared' })
    await applied
    await vi.advanceTimersByTimeAsync(0)
    expect(third.calls).toContain('stop')
    expect(JSON.stringify(logged('worker.retired'))).toContain('there is no ca.pem')
  })
})

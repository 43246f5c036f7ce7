import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { compileSupergraph } from '@switchyard/engine'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { packGraph } from '../../src/planning/packed-graph.ts'
import { SYSTEM_CLOCK } from '../../src/planning/planning-clock.ts'
import { type PlanningJob, PlanningThreads } from '../../src/planning/planning-threads.ts'
import { HeldPlanning } from '../support/held-planning.ts'

const packed = packGraph(
  compileSupergraph(readFileSync(new URL('../fixtures/supergraph-base.graphql', import.meta.url), 'utf8')),
)
const graph = { id: 1, packed }

function threadsWith(held: HeldPlanning, count: number) {
  const { createWorker } = held
  return new PlanningThreads({ count, timeLimit: 3_600_000, clock: SYSTEM_CLOCK, createWorker })
}

function job(change: Partial<PlanningJob> = {}): PlanningJob {
  const task = {
    document: '{ version }',
    operationName: null,
    conditions: new Map(),
    labels: new Set<string>(),
    defer: false,
    stepLimit: 1000,
  }
  return { graph, task, wanted: () => true, spent: () => {}, ...change }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('planning threads', () => {
  it('are no more than they may be', async () => {
    const held = new HeldPlanning()
    await using threads = threadsWith(held, 2)
    const ends = Array.from({ length: 6 }, () => threads.run(job()))
    await held.hasBegun(2)
    expect(held.begun).toBe(2)
    held.release()
    expect((await Promise.all(ends)).map(({ kind }) => kind)).toEqual(Array(6).fill('planned'))
    expect(held.begun).toBe(6)
    expect(held.workers).toHaveLength(2)
  })

  it('take those in line in their order', async () => {
    const held = new HeldPlanning()
    held.release()
    await using threads = threadsWith(held, 1)
    const ended: number[] = []
    await Promise.all([0, 1, 2, 3].map((index) => threads.run(job({ spent: () => ended.push(index) }))))
    expect(ended).toEqual([0, 1, 2, 3])
  })

  it('prefer one that knows the graph', async () => {
    const held = new HeldPlanning()
    held.release()
    await using threads = threadsWith(held, 2)
    const other = { id: 2, packed }
    await Promise.all([threads.run(job()), threads.run(job({ graph: other }))])
    for (let round = 0; round < 3; round++) {
      await threads.run(job({ graph: other }))
      await threads.run(job())
    }
    expect(held.heard.map((kinds) => kinds.filter((kind) => kind === 'graph').length)).toEqual([1, 1])
  })

  it('leave alone what nobody wants any more when its turn comes', async () => {
    const held = new HeldPlanning()
    await using threads = threadsWith(held, 1)
    const first = threads.run(job())
    const second = threads.run(job({ wanted: () => false }))
    await held.hasBegun()
    held.release()
    expect((await first).kind).toBe('planned')
    expect((await second).kind).toBe('unwanted')
    expect(held.begun).toBe(1)
  })

  it('drop those in line whose graph is forgotten', async () => {
    const held = new HeldPlanning()
    await using threads = threadsWith(held, 1)
    const first = threads.run(job())
    const other = { id: 2, packed }
    const second = threads.run(job({ graph: other }))
    const third = threads.run(job())
    threads.forget(other)
    expect((await second).kind).toBe('dropped')
    held.release()
    expect([(await first).kind, (await third).kind]).toEqual(['planned', 'planned'])
  })

  it('end when there was nothing to do for a minute, and start again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const held = new HeldPlanning()
    held.release()
    await using threads = threadsWith(held, 2)
    expect((await threads.run(job())).kind).toBe('planned')
    const [worker] = held.workers
    if (worker === undefined) throw new Error('no thread was started')
    const exit = once(worker, 'exit')
    vi.advanceTimersByTime(59_000)
    expect((await threads.run(job())).kind).toBe('planned')
    expect(held.workers).toHaveLength(1)
    vi.advanceTimersByTime(60_000)
    await exit
    expect((await threads.run(job())).kind).toBe('planned')
    expect(held.workers).toHaveLength(2)
  })

  it('end everything that waits when they are disposed, and take nothing more', async () => {
    const held = new HeldPlanning()
    const threads = threadsWith(held, 1)
    const waiting = [threads.run(job()), threads.run(job())]
    await held.hasBegun()
    await threads[Symbol.asyncDispose]()
    expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(['dropped', 'dropped'])
    expect((await threads.run(job())).kind).toBe('dropped')
    expect(held.workers.map(({ threadId }) => threadId)).toEqual([-1])
  })
})

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { compileSupergraph } from '@switchyard/engine'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { packGraph } from '../../src/planning/packed-graph.ts'
import { MAX_WAITING_JOBS, type PlanningJob, PlanningThreads } from '../../src/planning/planning-threads.ts'
import { clientAt, SOMEBODY } from '../support/clients.ts'
import { HeldPlanning } from '../support/held-planning.ts'

const packed = packGraph(
  compileSupergraph(readFileSync(new URL('../fixtures/supergraph-base.graphql', import.meta.url), 'utf8')),
)
const graph = { id: 1, packed }

function threadsWith(held: HeldPlanning, count: number) {
  const { createWorker } = held
  return new PlanningThreads({ count, timeLimit: 3_600_000, createWorker })
}

/** For one client. */
function run(threads: PlanningThreads, wanted: PlanningJob) {
  return threads.run(wanted, SOMEBODY).end
}

function job(change: Partial<PlanningJob> = {}): PlanningJob {
  const task = {
    document: '{ version }',
    operationName: null,
    conditions: new Map(),
    labels: new Set<string>(),
    granted: new Set<number>(),
    isWhole: false,
    defer: false,
    stepLimit: 1000,
    sharedFields: true,
    prefer: 'load' as const,
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
    const ends = Array.from({ length: 6 }, () => run(threads, job()))
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
    await Promise.all([0, 1, 2, 3].map((index) => run(threads, job({ spent: () => ended.push(index) }))))
    expect(ended).toEqual([0, 1, 2, 3])
  })

  it('prefer one that knows the graph', async () => {
    const held = new HeldPlanning()
    held.release()
    await using threads = threadsWith(held, 2)
    const other = { id: 2, packed }
    await Promise.all([run(threads, job()), run(threads, job({ graph: other }))])
    for (let round = 0; round < 3; round++) {
      await run(threads, job({ graph: other }))
      await run(threads, job())
    }
    expect(held.heard.map((kinds) => kinds.filter((kind) => kind === 'graph').length)).toEqual([1, 1])
  })

  it('leave alone what nobody wants any more when its turn comes', async () => {
    const held = new HeldPlanning()
    await using threads = threadsWith(held, 1)
    const first = run(threads, job())
    const second = run(threads, job({ wanted: () => false }))
    await held.hasBegun()
    held.release()
    expect((await first).kind).toBe('planned')
    expect((await second).kind).toBe('unwanted')
    expect(held.begun).toBe(1)
  })

  it('drop those in line whose graph is forgotten', async () => {
    const held = new HeldPlanning()
    await using threads = threadsWith(held, 1)
    const first = run(threads, job())
    const other = { id: 2, packed }
    const second = run(threads, job({ graph: other }))
    const third = run(threads, job())
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
    expect((await run(threads, job())).kind).toBe('planned')
    const [worker] = held.workers
    if (worker === undefined) throw new Error('no thread was started')
    const exit = once(worker, 'exit')
    vi.advanceTimersByTime(59_000)
    expect((await run(threads, job())).kind).toBe('planned')
    expect(held.workers).toHaveLength(1)
    vi.advanceTimersByTime(60_000)
    await exit
    expect((await run(threads, job())).kind).toBe('planned')
    expect(held.workers).toHaveLength(2)
  })

  it('end everything that waits when they are disposed, and take nothing more', async () => {
    const held = new HeldPlanning()
    const threads = threadsWith(held, 1)
    const waiting = [run(threads, job()), run(threads, job())]
    await held.hasBegun()
    await threads[Symbol.asyncDispose]()
    expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(['dropped', 'dropped'])
    expect((await run(threads, job())).kind).toBe('dropped')
    expect(held.workers.map(({ threadId }) => threadId)).toEqual([-1])
  })
  it('take clients in turns, however many tasks one of them has', async () => {
    const held = new HeldPlanning()
    await using threads = threadsWith(held, 1)
    const ended: string[] = []
    const ends = ['noisy 1', 'noisy 2', 'noisy 3', 'quiet 1', 'other 1', 'quiet 2'].map((name) => {
      const client = clientAt(name.split(' ')[0] ?? '')
      return threads.run(job({ spent: (_, { address }) => ended.push(`${name} for ${address}`) }), client).end
    })
    await held.hasBegun()
    held.release()
    await Promise.all(ends)
    expect(ended).toEqual([
      'noisy 1 for noisy',
      // It was alone in the line when its next turn was set.
      'noisy 2 for noisy',
      'quiet 1 for quiet',
      'other 1 for other',
      'noisy 3 for noisy',
      'quiet 2 for quiet',
    ])
  })

  it('do a task in the first turn of those who wait for it, who is charged, and refuse it for none of the others', async () => {
    const held = new HeldPlanning()
    await using threads = threadsWith(held, 1)
    const charged: string[] = []
    const spent =
      (name: string) =>
      (_: number, { address }: { readonly address: string }) =>
        charged.push(`${name} for ${address}`)
    const noisy = clientAt('noisy')
    const running = threads.run(job({ spent: spent('first') }), noisy)
    const own = threads.run(job({ spent: spent('own'), wanted: ({ address }) => address !== 'noisy' }), noisy)
    const shared = threads.run(
      job({ spent: spent('shared'), wanted: ({ address }) => address !== 'noisy' }),
      noisy,
    )
    shared.join(clientAt('quiet'))
    await held.hasBegun()
    held.release()
    const ends = await Promise.all([running, own, shared].map(({ end }) => end))
    expect(ends.map(({ kind }) => kind)).toEqual(['planned', 'unwanted', 'planned'])
    expect(charged).toEqual(['first for noisy', 'shared for quiet'])
  })

  it('have a line in which whoever has most gives up what has waited longest', async () => {
    const held = new HeldPlanning()
    await using threads = threadsWith(held, 1)
    const noisy = clientAt('noisy')
    const running = threads.run(job(), noisy).end
    await held.hasBegun()
    const ends = Array.from({ length: MAX_WAITING_JOBS }, () => threads.run(job(), noisy).end)
    const quiet = threads.run(job(), clientAt('quiet')).end
    expect((await Promise.race(ends)).kind).toBe('unwanted')
    expect(await Promise.race([ends[0], Promise.resolve(null)])).toEqual({ kind: 'unwanted' })
    expect(await Promise.race([ends[1], Promise.resolve(null)])).toBeNull()
    held.release()
    expect([(await running).kind, (await quiet).kind]).toEqual(['planned', 'planned'])
  })
})

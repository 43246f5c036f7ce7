/** The figures of guarded rollouts over several workers, which do what the test tells them to. */
import type { ManifestRollout } from '@switchyard/contracts'
import { type Figures, FiguresCounter, RouterFigures } from '@switchyard/guards'
import { createLogger } from '@switchyard/service-kit'
import { describe, expect, it } from 'vitest'
import { JoinedCounts, NONE_JOINED } from '../../src/concerns/guards/joined-counts.ts'
import { GuardEvents } from '../../src/concerns/guards/events.ts'
import { FiguresOfWorkers, type FiguresOfWorkersOptions } from '../../src/workers/figures-of-workers.ts'
import type { WorkerListener } from '../../src/workers/worker.ts'
import { FakeWorker } from '../support/fake-workers.ts'
import { rollout } from '../support/rollouts.ts'
import type { LogLine } from '../support/router.ts'

type Served = NonNullable<ReturnType<FiguresOfWorkersOptions['serving']>>

const LISTENER: WorkerListener = { up() {}, changed() {}, accepted() {}, differences() {}, ended() {} }
const guarded = (step: number, change: Partial<ManifestRollout> = {}) =>
  rollout({ guard: { step, stop: { errors: { percent: 20 } } }, ...change })
const served = (revision: number, rollouts: readonly ManifestRollout[]): Served => ({
  version: { epoch: 1, revision },
  createdAt: null,
  rollouts,
})

function figuresOf(requests: number, errors = 0): Figures {
  const counter = new FiguresCounter()
  for (let at = 0; at < requests; at += 1)
    counter.count('inside', at, { error: at < errors ? 'A' : null, milliseconds: 5, operation: 'Op' })
  return counter.figures()
}

function open(first: Served) {
  const logs: LogLine[] = []
  const state = { config: first as Served | null, stops: 0 }
  const to = { write: (line: string) => void logs.push(JSON.parse(line)) }
  const figures = new FiguresOfWorkers({
    serving: () => state.config,
    events: new GuardEvents(createLogger({ name: 'router', to })),
    onStopped: () => (state.stops += 1),
  })
  const workers: FakeWorker[] = []
  const start = figures.watching((number, listener) => {
    const worker = new FakeWorker(number, listener)
    workers.push(worker)
    return worker
  })
  const add = (): FakeWorker => {
    start(workers.length + 1, LISTENER)
    const worker = workers.at(-1)
    if (worker === undefined) throw new Error('there is no worker')
    return worker
  }
  const report = (worker: FakeWorker, step: number, totals: Figures, revision = 1, joined = NONE_JOINED) =>
    (worker.reports = {
      version: { epoch: 1, revision },
      steps: [{ rollout: 'catalogue', step, figures: totals, joined, stopped: null }],
    })
  const inside = () => figures.reports?.steps[0]?.figures.inside.requests ?? null
  return { figures, state, logs, add, report, inside }
}

describe('the figures of workers', () => {
  it('are summed up, with those of workers that have ended', () => {
    const { figures, state, add, report, inside } = open(served(1, [guarded(7)]))
    const [one, two] = [add(), add()]
    report(one, 7, figuresOf(10))
    report(two, 7, figuresOf(5))
    expect(inside()).toBe(15)
    figures.ended(one)
    expect(inside()).toBe(15)
    // While none serves, as all of them start anew, nothing is forgotten.
    state.config = null
    figures.ended(two)
    expect(inside()).toBe(15)
    state.config = served(1, [guarded(7)])
    report(add(), 7, figuresOf(1))
    expect(inside()).toBe(16)
    const { version, steps } = figures.reports ?? {}
    expect([version, steps?.[0]?.step]).toEqual([{ epoch: 1, revision: 1 }, 7])
    const message = {
      instance: 'r',
      boot: 'b',
      namespace: 'n',
      graph: 'g',
      beat: 1,
      ...version,
      ...steps?.[0],
    }
    expect(RouterFigures.safeParse({ ...message, stopped: undefined }).error).toBeUndefined()
  })

  it('begin anew with a step, whichever worker has begun it', () => {
    const { state, add, report, inside } = open(served(1, [guarded(7)]))
    const [one, two] = [add(), add()]
    report(one, 7, figuresOf(10))
    report(two, 7, figuresOf(10))
    expect(inside()).toBe(20)
    report(one, 9, figuresOf(3), 2)
    expect(inside()).toBe(10)
    state.config = served(2, [guarded(9)])
    expect(inside()).toBe(3)
    // One that starts anew has the config of before for a moment.
    state.config = served(1, [guarded(7)])
    expect(inside()).toBe(3)
    report(two, 9, figuresOf(4), 2)
    expect(inside()).toBe(7)
    state.config = served(3, [rollout()])
    expect(inside()).toBeNull()
  })

  it('stop a rollout by requests that one execution answered, which are in no group', () => {
    const { figures, add, report, inside } = open(served(1, [guarded(7)]))
    const [one, two] = [add(), add()]
    const joined = new JoinedCounts()
    for (let cluster = 0; cluster < 30; cluster += 1) joined.count(cluster, cluster < 10)
    report(one, 7, figuresOf(1, 1), 1, joined.totals())
    figures.ended(one)
    figures.look()
    expect(figures.stopped).toEqual([])
    report(two, 7, figuresOf(1, 1), 1, joined.totals())
    figures.look()
    const totals = { requests: 62, errors: 22, failedClusters: 10 }
    expect(figures.stopped).toEqual([{ rollout: 'catalogue', manifest: '1/1/null', totals }])
    expect(inside()).toBe(2)
  })

  it('stop a rollout if all workers together exceed the limit, until another manifest', () => {
    const { figures, state, logs, add, report } = open(served(1, [guarded(7)]))
    const workers = [add(), add(), add()]
    // Each of them has too few requests for an emergency.
    for (const worker of workers) report(worker, 7, figuresOf(30, 10))
    figures.look()
    const totals = { requests: 90, errors: 30, failedClusters: 10 }
    expect(figures.stopped).toEqual([{ rollout: 'catalogue', manifest: '1/1/null', totals }])
    expect(figures.reports?.steps[0]?.stopped).toEqual(totals)
    figures.look()
    expect([state.stops, logs.map(({ event }) => event)]).toEqual([1, ['rollout.stopped']])
    state.config = served(2, [guarded(7)])
    figures.look()
    expect(figures.stopped).toEqual([])
    for (const worker of workers) report(worker, 7, figuresOf(50, 30), 2)
    figures.look()
    expect(figures.stopped).toEqual([
      {
        rollout: 'catalogue',
        manifest: '1/2/null',
        totals: { requests: 60, errors: 60, failedClusters: 20 },
      },
    ])
  })
})

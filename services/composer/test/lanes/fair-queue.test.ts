import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../src/lanes/fair-queue.ts'

type Job = {
  readonly id: number
  readonly namespace: string
  readonly expectedCpuMs: number
  /** What it will use. */
  readonly cpuMs: number
  readonly goesFirst: boolean
}

const { parameters } = new RandomRun(import.meta.url, 3000)

let ids = 0
function job(namespace: string, cpuMs: number, expectedCpuMs = cpuMs, goesFirst = false): Job {
  return { id: ++ids, namespace, cpuMs, expectedCpuMs, goesFirst }
}

describe('the fair queue', () => {
  it('takes turns between namespaces, and keeps the order within one', () => {
    const queue = new FairQueue<Job>()
    const loud = Array.from({ length: 6 }, () => job('loud', 30_000))
    for (const one of [...loud, job('quiet', 10)]) queue.add(one)
    const taken = takeAll(queue)

    expect(taken.findIndex(({ namespace }) => namespace === 'quiet')).toBe(1)
    expect(taken.filter(({ namespace }) => namespace === 'loud')).toEqual(loud)
  })

  it('takes what goes first before the rest of its namespace, and before nothing of another one', () => {
    const queue = new FairQueue<Job>()
    const flags = [job('loud', 10), job('loud', 10)]
    const bases = [job('loud', 10, 10, true), job('loud', 10, 10, true)]
    const other = job('quiet', 10)
    for (const one of [other, ...flags, ...bases]) queue.add(one)
    const taken = takeAll(queue)

    expect(taken.filter(({ namespace }) => namespace === 'loud')).toEqual([...bases, ...flags])
    expect(taken[0]).toBe(other)
  })

  it('makes a namespace that used much wait until the others have used as much', () => {
    const queue = new FairQueue<Job>()
    for (const one of [job('loud', 20_000), job('quiet', 10)]) queue.add(one)
    takeAll(queue)
    queue.add(job('loud', 20_000))
    for (let index = 0; index < 30; index += 1) queue.add(job('quiet', 1000))

    expect(takeAll(queue).findIndex(({ namespace }) => namespace === 'loud')).toBe(20)
  })

  it('gives no namespace all threads, however little its jobs are expected to use', () => {
    const queue = new FairQueue<Job>()
    for (const namespace of ['loud', 'loud', 'loud', 'loud', 'quiet', 'quiet'])
      queue.add(job(namespace, 30_000, 1))
    const taken = [queue.take(), queue.take(), queue.take(), queue.take()]

    expect(taken.filter((one) => one?.namespace === 'quiet')).toHaveLength(2)
  })

  it('holds nothing against anybody but a minute of CPU', () => {
    const queue = new FairQueue<Job>()
    queue.add(job('loud', 10_000_000))
    takeAll(queue)
    queue.add(job('loud', 1))
    for (let index = 0; index < 100; index += 1) queue.add(job('quiet', 1000))

    expect(takeAll(queue).findIndex(({ namespace }) => namespace === 'loud')).toBe(60)
  })

  it('forgets what is taken back before its turn', () => {
    const queue = new FairQueue<Job>()
    const [first, second] = [job('a', 100), job('a', 200)]
    for (const one of [first, second]) queue.add(one)

    expect(queue.expectedMs).toBe(300)
    expect([queue.remove(first), queue.remove(first)]).toEqual([true, false])
    expect(queue.expectedMs).toBe(200)
    expect(takeAll(queue)).toEqual([second])
    expect(queue.expectedMs).toBe(0)
  })

  it('lets a newcomer wait for one turn of each other namespace at most, on any number of threads', () => {
    fc.assert(
      fc.property(STEPS, fc.integer({ min: 1, max: 4 }), (steps, threads) => {
        const world = new World(threads)
        for (const step of steps) world.take(step)
        world.drain()
        expect(world.worstWait).toBeLessThanOrEqual(1)
        expect(sorted(world.taken)).toEqual(world.added)
        expect(world.takenTooEarly).toEqual([])
        const inLine = Map.groupBy(world.taken, ({ namespace, goesFirst }) => `${namespace} ${goesFirst}`)
        for (const own of inLine.values()) expect(own.map(({ id }) => id)).toEqual(sorted(own))
      }),
      {
        ...parameters,
        examples: [
          // Expected too much of a job that is under way when the newcomer comes.
          [[add('a', 2), add('a', 2), add('a', 0), add('a', 0), add('a', 0), add('c', 0)], 3],
          // Has a job under way, and comes back with another.
          [[add('c', 0), add('a', 0), add('d', 3), add('d', 0), add('c', 0), add('b', 0), add('c', 0)], 4],
        ],
      },
    )
  })

  it('shares CPU among those who always have work: nobody gets more than two jobs ahead', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 40, maxLength: 40 })
    fc.assert(
      fc.property(fc.tuple(costs, costs, costs), (all) => {
        const queue = new FairQueue<Job>()
        const used = all.map(() => 0)
        all.forEach((list, index) => {
          for (const cpuMs of list) queue.add(job(String(index), cpuMs, 500))
        })
        // As long as nobody's forty jobs are done.
        for (let turn = 0; turn < 40; turn += 1) {
          const next = queue.take()
          if (next === null) throw new Error('the queue is empty')
          queue.settle(next, next.cpuMs)
          used[Number(next.namespace)] = (used[Number(next.namespace)] ?? 0) + next.cpuMs
          expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(2000)
        }
      }),
      parameters,
    )
  })
})

function takeAll(queue: FairQueue<Job>): readonly Job[] {
  const taken: Job[] = []
  for (let next = queue.take(); next !== null; next = queue.take()) {
    taken.push(next)
    queue.settle(next, next.cpuMs)
  }
  return taken
}

function sorted(jobs: readonly Job[]): readonly number[] {
  return jobs.map(({ id }) => id).toSorted((one, other) => one - other)
}

type Step =
  | {
      readonly kind: 'add'
      readonly namespace: string
      readonly cpuMs: number
      readonly expected: number
      readonly goesFirst: boolean
    }
  | { readonly kind: 'end'; readonly which: number }

function add(namespace: string, expected: number): Step {
  return { kind: 'add', namespace, cpuMs: 0, expected, goesFirst: false }
}

/** Small ones often, so that namespaces used the same. */
const COST = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 30_000 }))

const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        namespace: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        cpuMs: COST,
        expected: COST,
        goesFirst: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(3) }) },
  ),
  { maxLength: 120 },
)

/** Threads that take jobs as soon as they are free, and whoever waits meanwhile. */
class World {
  readonly taken: Job[] = []
  readonly added: number[] = []
  /** Jobs that were taken while one of their namespace waited that goes first. */
  readonly takenTooEarly: Job[] = []
  readonly #first = new Set<Job>()
  /** Most turns that one namespace got while another one, which had never had one, waited for its first. */
  worstWait = 0
  readonly #queue = new FairQueue<Job>()
  readonly #running: Job[] = []
  readonly #threads: number
  readonly #seen = new Set<string>()
  /** Of each newcomer that waits: the turns of the others since then. */
  readonly #newcomers = new Map<string, Map<string, number>>()

  constructor(threads: number) {
    this.#threads = threads
  }

  take(step: Step): void {
    if (step.kind === 'add') this.#add(job(step.namespace, step.cpuMs, step.expected, step.goesFirst))
    else this.#end(step.which)
    this.#dispatch()
  }

  drain(): void {
    while (this.#running.length > 0) this.take({ kind: 'end', which: 0 })
  }

  #add(one: Job): void {
    this.added.push(one.id)
    if (one.goesFirst) this.#first.add(one)
    if (!this.#seen.has(one.namespace)) this.#newcomers.set(one.namespace, new Map())
    this.#seen.add(one.namespace)
    this.#queue.add(one)
  }

  #end(which: number): void {
    const [one] = this.#running.splice(which % Math.max(1, this.#running.length), 1)
    if (one !== undefined) this.#queue.settle(one, one.cpuMs)
  }

  #dispatch(): void {
    while (this.#running.length < this.#threads) {
      const next = this.#queue.take()
      if (next === null) return
      this.taken.push(next)
      this.#first.delete(next)
      const isEarly = [...this.#first].some(({ namespace }) => namespace === next.namespace)
      if (isEarly && !next.goesFirst) this.takenTooEarly.push(next)
      this.#running.push(next)
      this.#newcomers.delete(next.namespace)
      for (const turns of this.#newcomers.values()) {
        const count = (turns.get(next.namespace) ?? 0) + 1
        turns.set(next.namespace, count)
        this.worstWait = Math.max(this.worstWait, count)
      }
    }
  }
}

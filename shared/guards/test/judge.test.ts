import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describeJudgement,
  type Figures,
  FiguresCounter,
  type Group,
  type GuardJudgement,
  judge,
  Judgement,
  judgeStep,
  parseGuards,
  quantilesOf,
  stepOutcome,
  type Tested,
} from '../src/index.ts'
import { counted, requestOf } from './random-figures.ts'

const run = new RandomRun(import.meta.url, 100)
const PLACE = { steps: 5, begun: 1, attempt: 1 }

/** Requests of a group: how many, every how many fail, how long they take, and which operation they are. */
type Part = {
  readonly requests: number
  readonly failEvery?: number
  readonly operation?: string
  readonly milliseconds?: (request: number) => number
}

function figuresOf(parts: Readonly<Record<Group, readonly Part[]>>): Figures {
  const counter = new FiguresCounter()
  for (const group of ['inside', 'control'] as const) {
    for (const { requests, failEvery = Number.POSITIVE_INFINITY, operation = null, milliseconds } of parts[
      group
    ]) {
      for (let request = 0; request < requests; request += 1) {
        // Multiples of an odd number reach all clusters, whichever requests fail.
        const cluster = (request * 37 + Math.floor(request / 64)) % 64
        counter.count(group, cluster, {
          error: request % failEvery === failEvery - 1 ? 'INTERNAL' : null,
          milliseconds: milliseconds?.(request) ?? 20,
          operation,
        })
      }
    }
  }
  return counter.figures()
}

function judgementOf(tested: Tested, judgement: Judgement): GuardJudgement {
  const found = judgement.guards.find((guard) => guard.tested === tested)
  if (found === undefined) throw new RangeError(`Nothing was judged for ${tested}.`)
  return found
}

const ONE_POINT = parseGuards('errors=+1pt')
const healthy = figuresOf({
  inside: [{ requests: 20_000, failEvery: 1000 }],
  control: [{ requests: 100_000, failEvery: 1000 }],
})
const failing = figuresOf({
  inside: [{ requests: 20_000, failEvery: 25 }],
  control: [{ requests: 100_000, failEvery: 1000 }],
})

describe('a guard of errors', () => {
  it('is kept where both groups fail alike', () => {
    expect(judge(healthy, ONE_POINT, PLACE)).toMatchObject({
      outcome: 'go-on',
      guards: [{ tested: 'errors', reason: 'kept', inside: 0.001, control: 0.001 }],
    })
  })

  it('is exceeded where the difference surely is above the limit, and says which figures decided', () => {
    const judgement = judge(failing, ONE_POINT, PLACE)
    expect(judgement.outcome).toBe('abort')
    expect(judgementOf('errors', judgement).excess.atLeast).toBeGreaterThan(0.02)
    expect(describeJudgement(judgement)).toEqual([
      'errors: 4 % inside (20000 requests), 0.1 % outside (100000); the limit is exceeded by at least 2.28 points',
    ])
  })

  it('is unclear where requests do not suffice, and says how many probably would', () => {
    const few = figuresOf({
      inside: [{ requests: 600, failEvery: 100 }],
      control: [{ requests: 5000, failEvery: 100 }],
    })
    const judgement = judge(few, ONE_POINT, PLACE)
    expect(judgement.outcome).toBe('inconclusive')
    const { requestsNeeded } = judgementOf('errors', judgement)
    expect(requestsNeeded).toBeGreaterThan(600)
    const enough = figuresOf({
      inside: [{ requests: requestsNeeded ?? 0, failEvery: 100 }],
      control: [{ requests: 40_000, failEvery: 100 }],
    })
    expect(judge(enough, ONE_POINT, PLACE).outcome).toBe('go-on')
  })

  it('says nothing before there are enough requests, even if all of them fail', () => {
    const figures = (requests: number) =>
      figuresOf({ inside: [{ requests, failEvery: 1 }], control: [{ requests: 5000 }] })
    expect(judge(figures(499), ONE_POINT, PLACE)).toMatchObject({
      outcome: 'inconclusive',
      guards: [{ reason: 'too-few-requests', inside: 1, control: 0 }, { reason: 'too-few-requests' }],
    })
    expect(judge(figures(500), ONE_POINT, PLACE).outcome).toBe('abort')
    expect(judge(figures(500), parseGuards('errors=+1pt,requests=501'), PLACE).outcome).toBe('inconclusive')
  })

  it('says nothing where a few users make all requests', () => {
    const counter = new FiguresCounter()
    for (let request = 0; request < 40_000; request += 1)
      counter.count(request % 2 === 0 ? 'inside' : 'control', request % 19, {
        error: request % 2 === 0 ? 'INTERNAL' : null,
        milliseconds: 1,
        operation: null,
      })
    expect(judge(counter.figures(), ONE_POINT, PLACE)).toMatchObject({
      outcome: 'inconclusive',
      guards: [{ reason: 'too-few-clusters' }, { reason: 'too-few-clusters' }],
    })
  })

  it('is not exceeded by one user who makes a tenth of all requests and fails alone', () => {
    const counter = new FiguresCounter()
    for (let request = 0; request < 100_000; request += 1) {
      const isUser = request % 10 === 0
      counter.count(request % 20 < 10 ? 'inside' : 'control', isUser ? 7 : request % 64, {
        error: isUser && request % 20 < 10 ? 'INTERNAL' : null,
        milliseconds: 1,
        operation: null,
      })
    }
    const judgement = judge(counter.figures(), ONE_POINT, PLACE)
    expect(judgementOf('errors', judgement)).toMatchObject({
      inside: 0.1,
      control: 0,
      outcome: 'inconclusive',
    })
  })

  it('of a ratio allows a tenth of a point where hardly anything fails', () => {
    const rare = figuresOf({
      inside: [{ requests: 50_000, failEvery: 25_000 }],
      control: [{ requests: 50_000, failEvery: 50_000 }],
    })
    expect(judge(rare, parseGuards('errors=1.5x'), PLACE).outcome).toBe('go-on')
    expect(judge(failing, parseGuards('errors=1.5x'), PLACE).outcome).toBe('abort')
  })
})

describe('errors by operation', () => {
  it('are exceeded where every operation fails more, although clients ask other operations inside', () => {
    // Inside, clients ask less of what fails often anyway, so the totals are equal.
    const shifted = figuresOf({
      inside: [
        { requests: 18_000, failEvery: 25, operation: 'Cart' },
        { requests: 2000, failEvery: 8, operation: 'Search' },
      ],
      control: [
        { requests: 50_000, failEvery: 1000, operation: 'Cart' },
        { requests: 50_000, failEvery: 10, operation: 'Search' },
      ],
    })
    const judgement = judge(shifted, ONE_POINT, PLACE)
    expect(judgementOf('errors', judgement).outcome).not.toBe('abort')
    expect(judgementOf('errors-by-operation', judgement).outcome).toBe('abort')
    expect(judgement.outcome).toBe('abort')
  })

  it('are kept where only the mixture of operations differs', () => {
    const shifted = figuresOf({
      inside: [
        { requests: 10_000, failEvery: 1000, operation: 'Cart' },
        { requests: 10_000, failEvery: 10, operation: 'Search' },
      ],
      control: [
        { requests: 90_000, failEvery: 1000, operation: 'Cart' },
        { requests: 10_000, failEvery: 10, operation: 'Search' },
      ],
    })
    const judgement = judge(shifted, ONE_POINT, PLACE)
    expect(judgementOf('errors-by-operation', judgement).excess.value).toBeCloseTo(-0.01, 4)
    expect(judgementOf('errors-by-operation', judgement).outcome).toBe('go-on')
  })

  it('equal the total where all operations fail alike', () => {
    const parts = (requests: number, failEvery: number): readonly Part[] => [
      { requests, failEvery, operation: 'Cart' },
      { requests, failEvery, operation: 'Search' },
    ]
    const judgement = judge(
      figuresOf({ inside: parts(5000, 50), control: parts(50_000, 100) }),
      ONE_POINT,
      PLACE,
    )
    const total = judgementOf('errors', judgement).excess
    const stratified = judgementOf('errors-by-operation', judgement).excess
    expect(stratified.value).toBeCloseTo(total.value ?? 0, 9)
    expect((stratified.atLeast ?? 0) / (total.atLeast ?? 0)).toBeCloseTo(1, 0)
  })
})

describe('a guard of latency', () => {
  const P99 = parseGuards('p99=1.3x')
  const slowly = (factor: number) => (request: number) => (20 * factor) / Math.sqrt(1 - (request % 997) / 997)
  const figures = (requests: number, factor: number): Figures =>
    figuresOf({
      inside: [{ requests, milliseconds: slowly(factor) }],
      control: [{ requests: requests * 5, milliseconds: slowly(1) }],
    })

  it('is kept where latencies are alike, and exceeded where they surely are above the limit', () => {
    expect(judge(figures(20_000, 1), P99, PLACE)).toMatchObject({
      outcome: 'go-on',
      guards: [{ reason: 'kept' }],
    })
    expect(judge(figures(20_000, 2), P99, PLACE)).toMatchObject({
      outcome: 'abort',
      guards: [{ tested: 'p99', reason: 'exceeded' }],
    })
  })

  it('is unclear just at the limit, and with few requests', () => {
    expect(judge(figures(20_000, 1.3), P99, PLACE).outcome).toBe('inconclusive')
    expect(judge(figures(600, 1), P99, PLACE).outcome).toBe('inconclusive')
  })

  it('tells quantiles in milliseconds, to within a bucket', () => {
    const judged = judgementOf('p99', judge(figures(20_000, 2), P99, PLACE))
    const [control, inside] = [slowly(1)(0.99 * 997), slowly(2)(0.99 * 997)]
    expect(judged.control).toBeLessThanOrEqual(control)
    expect(judged.control).toBeGreaterThan(control * 0.92)
    expect(judged.inside).toBeLessThanOrEqual(inside)
    expect(judged.inside).toBeGreaterThan(inside * 0.92)
  })

  it('ignores what is faster than a router by itself', () => {
    const fast = figuresOf({
      inside: [{ requests: 20_000, milliseconds: () => 1.5 }],
      control: [{ requests: 20_000, milliseconds: () => 0.3 }],
    })
    expect(judge(fast, P99, PLACE).outcome).toBe('go-on')
  })
})

describe('a judgement', () => {
  it('aborts at once, and says anything else at the end of the step', () => {
    expect(stepOutcome(judge(failing, ONE_POINT, PLACE), false)).toBe('abort')
    expect(stepOutcome(judge(healthy, ONE_POINT, PLACE), false)).toBeNull()
    expect(stepOutcome(judge(healthy, ONE_POINT, PLACE), true)).toBe('go-on')
    expect(stepOutcome(judge(counted([]), ONE_POINT, PLACE), true)).toBe('inconclusive')
  })

  it('needs all guards to go on, and one to abort', () => {
    const guards = parseGuards('errors=+1pt,p99=1.3x')
    expect(judge(failing, guards, PLACE).outcome).toBe('abort')
    const slow = figuresOf({
      inside: [{ requests: 20_000, failEvery: 1000, milliseconds: () => 100 }],
      control: [{ requests: 20_000, failEvery: 1000 }],
    })
    expect(judge(slow, guards, PLACE).outcome).toBe('abort')
  })

  const hostile = fc.array(requestOf, { minLength: 600, maxLength: 1500 }).map(counted)
  const everything = parseGuards('errors=100x,p50=1.01x,p90=100x,p95=1.3x,p99=1.3x,requests=100')

  it('is a value of its schema whatever the figures are, so that it fits into a record', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.nat(10),
        fc.nat(100),
        fc.integer({ min: -5, max: 5000 }),
        (figures, steps, begun, attempt) => {
          const judgement = judge(figures, everything, { steps, begun, attempt })
          expect(Judgement.parse(JSON.parse(JSON.stringify(judgement)))).toEqual(judgement)
          expect(describeJudgement(judgement).join('\n')).not.toMatch(/NaN|Infinity/)
        },
      ),
      run.parameters,
    )
  })

  /** Failures evenly over all clusters: 0, 1, 2 … of a hundred requests inside. */
  const rising = Array.from({ length: 12 }, (_, percent) =>
    figuresOf({
      inside: [
        { requests: 5000, failEvery: percent === 0 ? Number.POSITIVE_INFINITY : Math.round(100 / percent) },
      ],
      control: [{ requests: 20_000, failEvery: 100 }],
    }),
  )
  const ORDER = ['go-on', 'inconclusive', 'abort']

  it('only gets worse when more requests fail inside', () => {
    const ranks = rising.map((figures) => ORDER.indexOf(judge(figures, ONE_POINT, PLACE).outcome))
    expect(ranks).toEqual(ranks.toSorted())
    expect(new Set(ranks).size).toBe(3)
  })

  it.each([
    ['points', [0.5, 1, 2, 3, 5, 8].map((points) => ({ errors: { points } }))],
    ['a ratio', [1.1, 1.5, 2, 3, 5, 8].map((ratio) => ({ errors: { ratio } }))],
  ])('only gets better when a limit in %s is raised', (_what, guards) => {
    for (const figures of rising) {
      const ranks = guards.map((each) => ORDER.indexOf(judge(figures, each, PLACE).outcome))
      expect(ranks).toEqual(ranks.toSorted().toReversed())
    }
  })

  it('never aborts only because a ramp has more steps, or was begun again', () => {
    for (const figures of rising) {
      const aborts = [1, 5, 20].map(
        (steps) => judge(figures, ONE_POINT, { ...PLACE, steps }).outcome === 'abort',
      )
      expect(aborts).toEqual(aborts.toSorted().toReversed())
    }
  })

  it('does not depend on which cluster is which', () => {
    const [, , , , , figures = healthy] = rising
    const turned = <Item>(list: readonly Item[]): Item[] => [...list.slice(13), ...list.slice(0, 13)]
    const other = {
      ...figures,
      inside: {
        ...figures.inside,
        clusterRequests: turned(figures.inside.clusterRequests),
        clusterErrors: turned(figures.inside.clusterErrors),
      },
    }
    const [one, two] = [figures, other].map(
      (each) => judgementOf('errors', judge(each, ONE_POINT, PLACE)).excess,
    )
    expect(one?.atLeast).toBeCloseTo(two?.atLeast ?? 0, 9)
    expect(one?.atMost).toBeCloseTo(two?.atMost ?? 0, 9)
  })
})

describe('a step of a ramp', () => {
  const ramp = { steps: [5, 50, 100], step: 0, begun: 1, attempt: 1, guards: ONE_POINT }

  it('is judged at its place among those that can be', () => {
    expect(judgeStep(failing, ramp)).toEqual(judge(failing, ONE_POINT, { steps: 2, begun: 1, attempt: 1 }))
    const later = { begun: 3, attempt: 2 }
    expect(judgeStep(failing, { ...ramp, ...later, step: 1 })).toEqual(
      judge(failing, ONE_POINT, { steps: 2, ...later }),
    )
  })

  it('is not judged without guards, nor where nobody is left to compare with', () => {
    expect(judgeStep(failing, { ...ramp, step: 2 })).toBeNull()
    expect(judgeStep(failing, { ...ramp, guards: undefined })).toBeNull()
  })
})

describe('quantiles of a group', () => {
  it('are the least milliseconds of the bucket that more than the slower share of requests reach', () => {
    const milliseconds = (request: number) => (request % 100 < 50 ? 10 : request % 100 < 92 ? 50 : 1000)
    const { inside, control } = figuresOf({ inside: [{ requests: 1000, milliseconds }], control: [] })
    const { p50, p90, p95, p99 } = quantilesOf(inside)
    for (const [quantile, expected] of [
      [p50, 10],
      [p90, 50],
      [p95, 1000],
      [p99, 1000],
    ] as const) {
      expect(quantile).toBeLessThanOrEqual(expected)
      expect(quantile).toBeGreaterThan(expected / 1.1)
    }
    expect(quantilesOf(control)).toEqual({ p50: null, p90: null, p95: null, p99: null })
  })
})

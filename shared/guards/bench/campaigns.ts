/** The simulations whose results stand in docs/guards.md. Each gives the same numbers in every run. */
import { type Figures, type Guards, judge, parseGuards, type Tested, testedBy } from '../src/index.ts'
import { errorRate, excessByOperation, excessOfErrors, limitOf } from '../src/error-rates.ts'
import { anytimeMargin } from '../src/confidence.ts'
import { excessOfLatency } from '../src/latency-quantiles.ts'
import { looksUntil, simulateRamp, simulateStep, STEPS, type Traffic, watchStep } from './simulate-ramp.ts'
import { HEALTHY, type Population, populationOf, Ramp, type World } from './world.ts'

const STEP_SECONDS = 600
const USUAL_REQUESTS_PER_SECOND = 80
/** As many requests as the users have are made in a whole ramp, about, so users make 1 to 1,000 each. */
const USERS_BY_RATE = 450

function trafficOf({ requestsPerSecond = USUAL_REQUESTS_PER_SECOND }: Kept): Traffic {
  return { requestsPerSecond, seconds: STEP_SECONDS, looks: looksUntil(STEP_SECONDS) }
}

function usersOf({ requestsPerSecond = USUAL_REQUESTS_PER_SECOND }: Kept): Population {
  return populationOf(requestsPerSecond * USERS_BY_RATE, 1)
}

/** One kind of ramp that keeps its guards, at least just so. */
export type Kept = {
  readonly name: string
  readonly guards: string
  readonly world: World
  /** 80 if absent. */
  readonly requestsPerSecond?: number
}

export const HEALTHY_RAMP: Kept = {
  name: 'healthy, 0.1 % of requests fail; 30 % for ten seconds of each step',
  guards: 'errors=+0.5pt,p99=1.3x',
  world: { ...HEALTHY, incident: [100, 110] },
}

/** Worlds in which figures inside are as bad as the guard allows, and no worse. */
export const KEPT: readonly Kept[] = [
  HEALTHY_RAMP,
  {
    name: 'healthy, 5 % fail',
    guards: 'errors=+1pt,p99=1.3x',
    world: { ...HEALTHY, baseline: 0.05 },
  },
  {
    name: '0.1 % fail, and inside 0.5 points more: just the limit',
    guards: 'errors=+0.5pt',
    world: { ...HEALTHY, added: 0.005 },
  },
  {
    name: '1 % fail, and inside 0.5 points more: just the limit',
    guards: 'errors=+0.5pt',
    world: { ...HEALTHY, baseline: 0.01, added: 0.005 },
  },
  {
    name: 'the same, with 500 requests a second',
    guards: 'errors=+0.5pt',
    world: { ...HEALTHY, baseline: 0.01, added: 0.005 },
    requestsPerSecond: 500,
  },
  {
    name: 'the same, judged from 100 requests on',
    guards: 'errors=+0.5pt,requests=100',
    world: { ...HEALTHY, baseline: 0.01, added: 0.005 },
  },
  {
    name: 'the same, with failures that do not hang together',
    guards: 'errors=+0.5pt',
    world: { ...HEALTHY, baseline: 0.01, correlated: 0, added: 0.005 },
  },
  {
    name: '1 % fail, and inside 0.5 points more, which one user in twenty meets',
    guards: 'errors=+0.5pt',
    world: { ...HEALTHY, baseline: 0.01, added: 0.005, affected: 0.05 },
  },
  {
    name: '5 % fail, and inside 1.5 times as many and 0.1 points: just the limit',
    guards: 'errors=1.5x',
    world: { ...HEALTHY, baseline: 0.05, added: 0.026 },
  },
  {
    name: 'latencies inside are 1.3 times as long: just the limit',
    guards: 'p99=1.3x',
    world: { ...HEALTHY, slowdown: 1.3 },
  },
]

export type KeptResult = {
  readonly ramps: number
  /** Ramps that were aborted all the same. */
  readonly aborted: number
  /** The shares of the steps of ramps that were not aborted. */
  readonly goOn: number
  readonly inconclusive: number
}

/** Simulates ramps that keep their guards. */
export function keptRamps(kept: Kept, ramps: number): KeptResult {
  const { guards, world } = kept
  const population = usersOf(kept)
  const traffic = trafficOf(kept)
  let aborted = 0
  let inconclusive = 0
  for (let seed = 0; seed < ramps; seed += 1) {
    const end = simulateRamp({
      population,
      world,
      guards: parseGuards(guards),
      traffic,
      seed,
    })
    if (end.kind === 'aborted') aborted += 1
    else inconclusive += end.inconclusive
  }
  const steps = Math.max(1, (ramps - aborted) * STEPS.length)
  return { ramps, aborted, goOn: 1 - inconclusive / steps, inconclusive: inconclusive / steps }
}

/** The probability of the bounds in `exceedances`. */
export const WATCHED_LEVEL = 0.1

/**
 * Returns the shares of steps in which a bound was ever beyond the limit although the figure is not, for
 * bounds that may be so in a tenth of steps. False aborts in a hundredth of ramps are too rare to tell a
 * bound that holds from one that nearly does.
 */
export function exceedances(kept: Kept, steps: number): ReadonlyMap<Tested, number> {
  const population = usersOf(kept)
  const parsed = parseGuards(kept.guards)
  const counts = new Map<Tested, number>()
  for (let seed = 0; seed < steps; seed += 1) {
    const exceeded = new Set<Tested>()
    const share = STEPS[seed % STEPS.length] ?? 0
    watchStep(new Ramp(population, kept.world, seed), share, trafficOf(kept), (figures) => {
      for (const [tested, atLeast] of lowerBounds(figures, parsed)) if (atLeast > 0) exceeded.add(tested)
    })
    for (const tested of exceeded) counts.set(tested, (counts.get(tested) ?? 0) + 1)
  }
  return new Map(testedBy(parsed).map((tested) => [tested, (counts.get(tested) ?? 0) / steps]))
}

function lowerBounds(figures: Figures, guards: Guards): ReadonlyMap<Tested, number> {
  const bounds = new Map<Tested, number>()
  const { guards: judged } = judge(figures, guards, { steps: 1, begun: 1, attempt: 1 })
  if (judged.some(({ reason }) => reason.startsWith('too-few'))) return bounds
  if (guards.errors !== undefined) {
    const rates = [errorRate(figures.inside), errorRate(figures.control)] as const
    const limit = limitOf(guards.errors)
    const total = excessOfErrors(...rates, limit)
    const byOperation = excessByOperation(figures, rates, limit)
    bounds.set('errors', total.value - anytimeMargin(total, WATCHED_LEVEL))
    if (byOperation !== null)
      bounds.set('errors-by-operation', byOperation.value - anytimeMargin(byOperation, WATCHED_LEVEL))
  }
  if (guards.p99 !== undefined) {
    const test = { share: 0.01, ratio: guards.p99.ratio, alpha: WATCHED_LEVEL, goingOn: 0.05 }
    bounds.set('p99', excessOfLatency(figures, test).excess.atLeast ?? -1)
  }
  return bounds
}

/**
 * How failures hang together: not at all; those of the baseline, half of which are those of few users; or the
 * added ones too, which only three users in ten meet.
 */
export type Hanging = 'none' | 'baseline' | 'all'
export const HANGING: readonly Hanging[] = ['none', 'baseline', 'all']

/** A rise of the error rate inside. */
export type Regression = { readonly baseline: number; readonly added: number; readonly hanging: Hanging }

export const BASELINES: readonly number[] = [0.001, 0.01, 0.05]
export const ADDED: readonly number[] = [0.02, 0.05, 0.1]

const DETECTION_SHARE = 0.05
const DETECTION_GUARDS = 'errors=+0.5pt,p99=1.3x'
export const DETECTION_SECONDS = 900
/** Users make 1 to 1,000 requests each in half an hour of 500 requests a second. */
export const DETECTION_USERS = 130_000
const DETECTION_TRAFFIC: Traffic = {
  requestsPerSecond: 500,
  seconds: DETECTION_SECONDS,
  looks: Array.from({ length: 420 }, (_, look) =>
    look < 150 ? 2 * look + 2 : 300 + 4 * (look - 149),
  ).filter((second) => second <= DETECTION_SECONDS),
}

/** The seconds after which regressions were found, in order; infinite where they were not within the step. */
export function detectionSeconds(
  { baseline, added, hanging }: Regression,
  runs: number,
  population = populationOf(DETECTION_USERS, 2),
): readonly number[] {
  const world: World = {
    ...HEALTHY,
    baseline,
    added,
    correlated: hanging === 'none' ? 0 : 0.5,
    affected: hanging === 'all' ? 0.3 : 1,
  }
  const place = { steps: STEPS.length, begun: 2, attempt: 1 }
  const guards = parseGuards(DETECTION_GUARDS)
  return Array.from({ length: runs }, (_, seed) => {
    const ramp = new Ramp(population, world, seed)
    const end = simulateStep(ramp, DETECTION_SHARE, guards, { traffic: DETECTION_TRAFFIC, place })
    return end.outcome === 'abort' ? end.second : Number.POSITIVE_INFINITY
  }).toSorted((one, other) => one - other)
}

/** Returns the seconds within which this share of the runs found a regression. */
export function within(share: number, seconds: readonly number[]): number {
  return seconds[Math.ceil(share * seconds.length) - 1] ?? Number.POSITIVE_INFINITY
}

/** Traffic with which the documentation says how often steps of a healthy ramp go on. */
const GOING_ON_SECONDS = 1800
const GOING_ON_TRAFFIC: Traffic = {
  requestsPerSecond: 500,
  seconds: GOING_ON_SECONDS,
  looks: [GOING_ON_SECONDS],
}

/** Returns how many of the healthy steps at each percentage go on after half an hour. */
export function goingOn(baseline: number, guards: string, ramps: number): readonly number[] {
  const population = populationOf(DETECTION_USERS, 3)
  const counts = STEPS.map(() => 0)
  for (let seed = 0; seed < ramps; seed += 1) {
    const ramp = new Ramp(population, { ...HEALTHY, baseline }, seed)
    for (const [step, share] of STEPS.entries()) {
      const place = { steps: STEPS.length, begun: step + 1, attempt: 1 }
      const end = simulateStep(ramp, share, parseGuards(guards), { traffic: GOING_ON_TRAFFIC, place })
      if (end.outcome === 'go-on') counts[step] = (counts[step] ?? 0) + 1
    }
  }
  return counts.map((count) => count / ramps)
}

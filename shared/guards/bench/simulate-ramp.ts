/** Ramps over made-up users, judged as a controller judges them. */
import {
  CLUSTERS,
  type Figures,
  type Group,
  type GroupFigures,
  type Guards,
  type Judgement,
  type Outcome,
  judge,
  latencyBucket,
  type PlaceInRamp,
  SLOWNESS_BOUNDS_MS,
  stepOutcome,
} from '../src/index.ts'
import { LATENCY_BUCKETS, slownessOf } from '../src/latency-buckets.ts'
import { OPERATIONS, type Population, Ramp, type SimulatedRequest, type World } from './world.ts'

/** The guarded steps of the ramp in the documentation. */
export const STEPS: readonly number[] = [0.01, 0.05, 0.25, 0.5, 0.95]

export type Traffic = {
  readonly requestsPerSecond: number
  /** How long a step takes, in seconds. */
  readonly seconds: number
  /** Seconds at which figures are judged. */
  readonly looks: readonly number[]
}

/** How a simulated ramp ended. */
export type EndOfRamp =
  | {
      readonly kind: 'aborted'
      readonly step: number
      readonly second: number
      readonly judgement: Judgement
    }
  | { readonly kind: 'completed'; readonly inconclusive: number }

export type Simulation = {
  readonly population: Population
  readonly world: World
  readonly guards: Guards
  readonly traffic: Traffic
  readonly seed: number
}

/**
 * Carries out a whole ramp. An inconclusive step is counted and the next one begins, as if somebody resumed.
 */
export function simulateRamp({ population, world, guards, traffic, seed }: Simulation): EndOfRamp {
  const ramp = new Ramp(population, world, seed)
  let inconclusive = 0
  for (const [step, share] of STEPS.entries()) {
    const end = simulateStep(ramp, share, guards, {
      traffic,
      place: { steps: STEPS.length, begun: step + 1, attempt: 1 },
    })
    if (end.outcome === 'abort')
      return { kind: 'aborted', step, second: end.second, judgement: end.judgement }
    if (end.outcome === 'inconclusive') inconclusive += 1
  }
  return { kind: 'completed', inconclusive }
}

/** How a simulated step ended, and when. */
export type EndOfStep = {
  readonly outcome: Outcome
  readonly second: number
  readonly judgement: Judgement
}

/** Carries out one step, until it is aborted or over. */
export function simulateStep(
  ramp: Ramp,
  share: number,
  guards: Guards,
  { traffic, place }: { readonly traffic: Traffic; readonly place: PlaceInRamp },
): EndOfStep {
  const found = watchStep(ramp, share, traffic, (figures, second): EndOfStep | undefined => {
    const judgement = judge(figures, guards, place)
    const outcome = stepOutcome(judgement, second >= traffic.seconds)
    return outcome === null ? undefined : { outcome, second, judgement }
  })
  if (found === undefined) throw new RangeError('The last look is before the end of the step.')
  return found
}

/** Makes the requests of a step, and shows the totals at each look until a result is returned. */
export function watchStep<Result>(
  ramp: Ramp,
  share: number,
  { requestsPerSecond, looks }: Traffic,
  look: (figures: Figures, second: number) => Result | undefined,
): Result | undefined {
  const totals = new Totals()
  let requests = 0
  for (const second of looks) {
    for (; requests < second * requestsPerSecond; requests += 1)
      totals.count(ramp.next(share, requests / requestsPerSecond))
    const result = look(totals.figures(), second)
    if (result !== undefined) return result
  }
  return undefined
}

/** Returns seconds of looks: one every two seconds at first, and ever fewer later. */
export function looksUntil(seconds: number): readonly number[] {
  const looks: number[] = []
  for (let look = 2; look < seconds; look = Math.max(look + 2, Math.round(look * 1.12))) looks.push(look)
  return [...looks, seconds]
}

/** Totals of both groups; `FiguresCounter` without names, which a simulation need not look up. */
class Totals {
  readonly #inside = new GroupTotals()
  readonly #control = new GroupTotals()

  count(request: SimulatedRequest): void {
    this.#of(request.group).count(request)
  }

  figures(): Figures {
    const operationOf = (group: GroupTotals, at: number): [number, number] => [
      group.operations[at] ?? 0,
      group.operationErrors[at] ?? 0,
    ]
    return {
      inside: this.#inside.figures(),
      control: this.#control.figures(),
      operations: Array.from({ length: 20 }, (_, at) => ({
        name: `Operation${at}`,
        inside: operationOf(this.#inside, at),
        control: operationOf(this.#control, at),
      })),
    }
  }

  #of(group: Group): GroupTotals {
    return group === 'inside' ? this.#inside : this.#control
  }
}

const BOUNDS = SLOWNESS_BOUNDS_MS.length

class GroupTotals {
  readonly operations = new Float64Array(OPERATIONS)
  readonly operationErrors = new Float64Array(OPERATIONS)
  readonly #requests = new Float64Array(CLUSTERS)
  readonly #errors = new Float64Array(CLUSTERS)
  readonly #slowness = new Float64Array(CLUSTERS * (BOUNDS + 1))
  readonly #latency = new Float64Array(LATENCY_BUCKETS)

  count({ cluster, failed, milliseconds, operation }: SimulatedRequest): void {
    const bucket = latencyBucket(milliseconds)
    this.#requests[cluster]! += 1
    this.#latency[bucket]! += 1
    this.#slowness[cluster * (BOUNDS + 1) + slownessOf(bucket)]! += 1
    this.operations[operation]! += 1
    if (!failed) return
    this.#errors[cluster]! += 1
    this.operationErrors[operation]! += 1
  }

  figures(): GroupFigures {
    const sum = (counts: Float64Array): number => counts.reduce((total, count) => total + count, 0)
    return {
      requests: sum(this.#requests),
      errors: sum(this.#errors),
      codes: [],
      clusterRequests: [...this.#requests],
      clusterErrors: [...this.#errors],
      clusterSlow: Array.from({ length: CLUSTERS }, (_, cluster) => this.#slowOf(cluster)),
      latency: [...this.#latency].flatMap((count, bucket) => (count === 0 ? [] : [[bucket, count]])),
    }
  }

  #slowOf(cluster: number): number[] {
    const slow: number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let reached = 0
    for (let bound = BOUNDS; bound > 0; bound -= 1) {
      reached += this.#slowness[cluster * (BOUNDS + 1) + bound] ?? 0
      slow[bound - 1] = reached
    }
    return slow
  }
}

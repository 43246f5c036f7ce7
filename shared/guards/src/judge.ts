/**
 * Judges a step of a ramp by its figures: pure functions of the totals since the step began, so that
 * everybody who has the same figures comes to the same judgement, in whatever order and how often they look.
 */
import { alphaOf, alphaOfGoingOn, type PlaceInRamp, testedBy } from './alpha.ts'
import type { ClusterRate } from './cluster-rates.ts'
import { anytimeMargin, type Estimate, singleMargin } from './confidence.ts'
import { errorRate, excessByOperation, excessOfErrors, limitOf } from './error-rates.ts'
import type { Figures } from './figures.ts'
import { DEFAULT_MINIMUM_REQUESTS, type ErrorsGuard, type Guards } from './guards.ts'
import type { GuardJudgement, Judgement, Outcome } from './judgement.ts'
import { excessOfLatency } from './latency-quantiles.ts'
import { QUANTILES, type Quantile } from './quantiles.ts'

/**
 * Each group needs requests of as many equally large clusters before a guard says anything. With fewer, the
 * variance between clusters is hardly known.
 */
export const LEAST_CLUSTERS = 20

/** The facts that all tests of a step use. */
type Step = { readonly figures: Figures; readonly inside: ClusterRate; readonly control: ClusterRate }

/** The facts of a ramp that a judgement needs. */
export type StepOfRamp = Omit<PlaceInRamp, 'steps'> & {
  /** The percentages of all steps, and which of them runs. */
  readonly steps: readonly number[]
  readonly step: number
  readonly guards?: Guards | undefined
}

/** Returns what the guards of a ramp say of its step; null if there are none, or nobody to compare with. */
export function judgeStep(figures: Figures, { steps, step, guards, ...place }: StepOfRamp): Judgement | null {
  // At 100 percent there is no control group.
  if (guards === undefined || steps[step] === 100) return null
  return judge(figures, guards, { ...place, steps: steps.filter((percent) => percent < 100).length })
}

/** Returns what the guards say of the totals since the step began. */
export function judge(figures: Figures, guards: Guards, place: PlaceInRamp): Judgement {
  const step = { figures, inside: errorRate(figures.inside), control: errorRate(figures.control) }
  const tooFew = tooFewIn(step, guards)
  const goingOn = alphaOfGoingOn(place)
  const judged = testedBy(guards).flatMap((tested): readonly GuardJudgement[] => {
    const alpha = alphaOf(tested, guards, place)
    if (tested !== 'errors' && tested !== 'errors-by-operation') {
      const { ratio } = guards[tested] ?? {}
      return ratio === undefined ? [] : [latencyJudgement(tested, step, { ratio, alpha, goingOn, tooFew })]
    }
    return guards.errors === undefined
      ? []
      : errorsJudgement(tested, step, { guard: guards.errors, alpha, goingOn, tooFew })
  })
  return {
    outcome: outcomeOf(judged),
    requests: { inside: step.inside.requests, control: step.control.requests },
    guards: judged,
  }
}

/**
 * Returns what follows for a step: it is aborted as soon as a guard is exceeded. Whether it goes on or is
 * inconclusive is said at its end. Null while it has to wait.
 */
export function stepOutcome({ outcome }: Judgement, isOver: boolean): Outcome | null {
  return isOver || outcome === 'abort' ? outcome : null
}

/**
 * Returns what several tests say together: one exceeded guard is enough to abort, all must be kept to go on.
 */
function outcomeOf(judgements: readonly GuardJudgement[]): Outcome {
  if (judgements.some(({ outcome }) => outcome === 'abort')) return 'abort'
  // The guard limits the total of errors. Errors by operation are looked at to find more, and not to hold.
  const needed = judgements.filter(({ tested }) => tested !== 'errors-by-operation')
  return needed.every(({ outcome }) => outcome === 'go-on') ? 'go-on' : 'inconclusive'
}

type TooFew = 'too-few-requests' | 'too-few-clusters' | null

function tooFewIn({ inside, control }: Step, { minimumRequests = DEFAULT_MINIMUM_REQUESTS }: Guards): TooFew {
  const groups = [inside, control]
  if (groups.some(({ requests }) => requests < minimumRequests)) return 'too-few-requests'
  return groups.some(({ effectiveClusters }) => effectiveClusters < LEAST_CLUSTERS)
    ? 'too-few-clusters'
    : null
}

type ErrorsTest = {
  readonly guard: ErrorsGuard
  readonly alpha: number
  readonly goingOn: number
  readonly tooFew: TooFew
}

/** Returns nothing where there is nothing to compare by operation. */
function errorsJudgement(
  tested: 'errors' | 'errors-by-operation',
  { figures, inside, control }: Step,
  { guard, alpha, goingOn, tooFew }: ErrorsTest,
): readonly GuardJudgement[] {
  const shown = {
    tested,
    alpha,
    inside: inside.requests === 0 ? null : inside.rate,
    control: control.requests === 0 ? null : control.rate,
  }
  if (tooFew !== null) return [{ ...shown, ...withheld(tooFew) }]
  const limit = limitOf(guard)
  const estimate =
    tested === 'errors'
      ? excessOfErrors(inside, control, limit)
      : excessByOperation(figures, [inside, control], limit)
  if (estimate === null) return []
  const upper = singleMargin(estimate, goingOn)
  const excess = {
    value: estimate.value,
    atLeast: finite(estimate.value - anytimeMargin(estimate, alpha)),
    atMost: finite(estimate.value + upper),
  }
  const requestsNeeded = needed(estimate, upper, inside.requests)
  return [{ ...shown, ...conclusion(excess), excess, requestsNeeded }]
}

/** Returns null for a bound that says nothing. */
function finite(bound: number): number | null {
  return Number.isFinite(bound) ? bound : null
}

/** Returns the requests after which the upper bound falls below the limit, if the figure stays what it is. */
function needed({ value }: Estimate, upper: number, requests: number): number | null {
  if (value >= 0 || value + upper <= 0) return null
  const found = Math.ceil(requests * (upper / value) ** 2)
  return Number.isSafeInteger(found) ? found : null
}

type LatencyTest = {
  readonly ratio: number
  readonly alpha: number
  readonly goingOn: number
  readonly tooFew: TooFew
}

function latencyJudgement(
  tested: Quantile,
  { figures }: Step,
  { ratio, alpha, goingOn, tooFew }: LatencyTest,
): GuardJudgement {
  const { inside, control, excess } = excessOfLatency(figures, {
    share: QUANTILES[tested],
    ratio,
    alpha,
    goingOn,
  })
  const shown = { tested, alpha, inside, control }
  if (tooFew !== null) return { ...shown, ...withheld(tooFew) }
  return { ...shown, ...conclusion(excess), excess, requestsNeeded: null }
}

type Conclusion = Pick<GuardJudgement, 'outcome' | 'reason'>

function conclusion({ atLeast, atMost }: GuardJudgement['excess']): Conclusion {
  if (atLeast !== null && atLeast > 0) return { outcome: 'abort', reason: 'exceeded' }
  if (atMost !== null && atMost <= 0) return { outcome: 'go-on', reason: 'kept' }
  return { outcome: 'inconclusive', reason: 'unclear' }
}

function withheld(
  reason: Exclude<TooFew, null>,
): Conclusion & Pick<GuardJudgement, 'excess' | 'requestsNeeded'> {
  const excess = { value: null, atLeast: null, atMost: null }
  return { outcome: 'inconclusive', reason, excess, requestsNeeded: null }
}

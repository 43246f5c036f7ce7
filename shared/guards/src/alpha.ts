/**
 * How the probability of a false abort is divided over a ramp. The parts of all tests together are at most
 * the whole, so the whole is a bound for the ramp, however the tests depend on each other (Bonferroni).
 */
import type { Guards } from './guards.ts'
import { QUANTILE_NAMES } from './quantiles.ts'
import type { Tested } from './judgement.ts'

/** The highest probability that a ramp which keeps within its guards is aborted all the same. */
export const ALPHA_OF_RAMP = 0.01

/**
 * The highest probability that a percentage which exceeds a guard is judged to keep within it. A step goes on
 * only if every guard says so, so it need not be divided over guards (intersection-union test).
 */
export const ALPHA_OF_GOING_ON = 0.05

/** Where in its ramp a step is. */
export type PlaceInRamp = {
  /** The steps of the ramp that are guarded: all below 100 %. */
  readonly steps: number
  /** How many steps have begun with this one. It exceeds `steps` where steps were begun again. */
  readonly begun: number
  /**
   * How often it was asked, with this time, whether to go on from the step's percentage: 1 at its first end,
   * more if it was inconclusive and got more time.
   */
  readonly attempt: number
}

/** The part of the whole for the planned steps. The rest is for steps that are begun again. */
const PLANNED = 0.9

const WEIGHT_OF_ERRORS = 2
const WEIGHT_OF_OTHERS = 1

/**
 * Returns the probability of a false abort that one test of one step may have.
 *
 * Planned steps share nine tenths equally. The rest is for steps that are begun again after a pause: the
 * first of them gets half of it, and each further one half of the one before. Within a step, the total of
 * errors has two parts, and each other test one.
 */
export function alphaOf(tested: Tested, guards: Guards, { steps, begun }: PlaceInRamp): number {
  const ofStep =
    begun <= steps
      ? (ALPHA_OF_RAMP * PLANNED) / Math.max(1, steps)
      : ALPHA_OF_RAMP * (1 - PLANNED) * 2 ** -(begun - steps)
  const all = testedBy(guards).reduce((sum, each) => sum + weightOf(each), 0)
  return (ofStep * weightOf(tested)) / all
}

/**
 * Returns the probability of going on wrongly that one end of a step may have: half of the whole at the
 * first, and at each further one half of that before.
 */
export function alphaOfGoingOn({ attempt }: PlaceInRamp): number {
  return ALPHA_OF_GOING_ON * 2 ** -Math.max(1, attempt)
}

/** Returns what is tested for these guards. */
export function testedBy(guards: Guards): readonly Tested[] {
  return [
    ...(guards.errors === undefined ? [] : (['errors', 'errors-by-operation'] as const)),
    ...QUANTILE_NAMES.filter((name) => guards[name] !== undefined),
  ]
}

function weightOf(tested: Tested): number {
  return tested === 'errors' ? WEIGHT_OF_ERRORS : WEIGHT_OF_OTHERS
}

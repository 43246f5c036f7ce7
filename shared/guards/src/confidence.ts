/**
 * How many standard errors a figure must be beyond a limit, when somebody looks at it again and again.
 *
 * The boundary is Robbins' normal mixture (H. Robbins, Statistical methods related to the law of the iterated
 * logarithm, 1970), one-sided and in closed form (S. Howard, A. Ramdas, J. McAuliffe and J. Sekhon,
 * Time-uniform, nonparametric, nonasymptotic confidence sequences, 2021, equation 14). For figures that are
 * only nearly normal it is an asymptotic confidence sequence (I. Waudby-Smith, D. Arbour, R. Sinha, E.
 * Kennedy and A. Ramdas, Time-uniform central limit theory and asymptotic confidence sequences, 2024).
 *
 * The boundary assumes a sum with independent increments, which requests of the same users are not: whoever
 * fails once fails again. Such increments hang together positively. By Slepian's inequality (1962), a sum of
 * the same variance whose increments do so crosses a boundary less often. So the bound holds there as well.
 */

/**
 * The variance at which the boundary is as low as it gets, up to a factor of about five, in units of counted
 * errors or slow requests. Ramps are decided by some tens of them.
 */
const MIXTURE = 8

/**
 * Returns the number of standard errors that a sum with this variance must not exceed: the probability that
 * it ever does, over all the time that it is looked at, is at most `alpha`.
 */
export function mixtureBoundary(alpha: number, variance: number): number {
  const total = variance + MIXTURE
  return Math.sqrt(((2 * total) / variance) * Math.log1p(Math.sqrt(total / MIXTURE) / (2 * alpha)))
}

/**
 * Returns the value that Student's t exceeds as seldom as a normal variable exceeds `z`. Variances are taken
 * between few clusters, and a variance that is too low by chance would make a difference look significant.
 *
 * D. Wallace, Bounds on normal approximations to Student's and the chi-square distributions, 1959.
 */
export function studentValue(z: number, degreesOfFreedom: number): number {
  const corrected = (z * (8 * degreesOfFreedom + 3)) / (8 * degreesOfFreedom + 1)
  return Math.sqrt(degreesOfFreedom * Math.expm1(corrected ** 2 / degreesOfFreedom))
}

/** A figure with its uncertainty. */
export type Estimate = {
  readonly value: number
  readonly standardError: number
  /** The variance in units of counted errors or slow requests, which grows while they are counted. */
  readonly variance: number
  readonly degreesOfFreedom: number
}

/**
 * Returns how far a figure may be from the truth, in one direction: with a probability of at most `alpha` it
 * is ever farther, over all the time that it is looked at.
 */
export function anytimeMargin(
  { standardError, variance, degreesOfFreedom }: Estimate,
  alpha: number,
): number {
  return studentValue(mixtureBoundary(alpha, variance), degreesOfFreedom) * standardError
}

/** Returns how far a figure may be from the truth, in one direction, for a single look. */
export function singleMargin({ standardError, degreesOfFreedom }: Estimate, alpha: number): number {
  return studentValue(normalTail(alpha), degreesOfFreedom) * standardError
}

const LOWEST_TAIL = 1e-10
const HIGHEST_TAIL = 0.07

/**
 * Returns the value that a standard normal variable exceeds with this probability, which is between 1e-10 and
 * 0.07 here: algorithm AS 241 for the tail (M. Wichura, The percentage points of the normal distribution,
 * 1988).
 */
export function normalTail(probability: number): number {
  const clamped = Math.min(Math.max(probability, LOWEST_TAIL), HIGHEST_TAIL)
  const r = Math.sqrt(-Math.log(clamped)) - 1.6
  const above = ((0.170_238_211_03 * r + 1.306_728_481_6) * r + 2.756_815_39) * r + 1.423_437_277_7
  return above / ((0.120_211_329_75 * r + 0.737_001_642_5) * r + 1)
}

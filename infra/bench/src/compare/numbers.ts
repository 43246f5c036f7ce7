/** Statistics of measured numbers. */

/** Returns the median of the values. Throws a RangeError if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [below, above] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  if (below === undefined || above === undefined) throw new RangeError('there is no median of nothing')
  return (below + above) / 2
}

export type Point = { readonly size: number; readonly cost: number }

export type Growth = {
  /**
   * Cost grows with the size to the power of this, between the smallest and the largest: 0 flat, 1 linear.
   */
  readonly exponent: number
  /**
   * The steepest exponent between two neighbours. Well above 1 there is a cliff: one more of something
   * costs more than the one before.
   */
  readonly steepest: number
}

/**
 * Returns the growth over points, in the order of their sizes. Throws a RangeError for less than two points.
 */
export function growthOf(points: readonly Point[]): Growth {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length < 2)
    throw new RangeError('growth needs two points')
  const steps = points.slice(1).map((point, index) => exponentOf(points[index] ?? first, point))
  return { exponent: exponentOf(first, last), steepest: Math.max(...steps) }
}

function exponentOf(from: Point, to: Point): number {
  return Math.log(to.cost / from.cost) / Math.log(to.size / from.size)
}

/**
 * How far a cost may grow faster than its size before that counts as a cliff: what repetitions differ by.
 */
const TOLERANCE = 0.25

export function describeGrowth({ exponent, steepest }: Growth): string {
  if (steepest > 1 + TOLERANCE) return `a cliff: ^${steepest.toFixed(2)} in one step`
  if (Math.abs(exponent) <= TOLERANCE) return 'flat'
  return exponent < 0 ? 'falls' : `at most linear: ^${exponent.toFixed(2)}`
}

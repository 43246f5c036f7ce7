/** How evenly keys are spread over buckets. */
import { bucketOf } from '../src/index.ts'

const PERCENTAGES = [0.01, 0.5, 1, 5, 10, 25, 50, 75, 95, 99.99]

/** Returns by how many points the parts of so many fixed keys differ from percentages at most. */
export function largestDeviation(keys: number): number {
  const inside = PERCENTAGES.map(() => 0)
  for (let key = 0; key < keys; key++) {
    const bucket = bucketOf('new-catalogue-5f1c0a9e7b3d2846', `user-${key}`)
    for (const [index, percent] of PERCENTAGES.entries()) {
      if (bucket < percent * 100) inside[index] = (inside[index] ?? 0) + 1
    }
  }
  return Math.max(
    ...PERCENTAGES.map((percent, index) => Math.abs((100 * (inside[index] ?? 0)) / keys - percent)),
  )
}

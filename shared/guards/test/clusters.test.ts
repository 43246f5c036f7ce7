import { stickyShare } from '@switchyard/values'
import { describe, expect, it } from 'vitest'
import { CLUSTERS, clusterOf } from '../src/index.ts'

const KEYS = 200_000

/** Pearson's statistic against equally likely clusters. Its mean is 63, and its deviation 11.2. */
function chiSquare(keys: readonly string[]): number {
  const counts = Array.from({ length: CLUSTERS }, () => 0)
  for (const key of keys) counts[clusterOf(key)] = (counts[clusterOf(key)] ?? 0) + 1
  const expected = keys.length / CLUSTERS
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

const keys = Array.from({ length: KEYS }, (_, at) => `user-${at}`)

describe('clusters of keys', () => {
  it('are equally large', () => {
    expect(chiSquare(keys)).toBeLessThan(63 + 4 * 11.2)
    expect(chiSquare(keys.map((_, at) => String(at)))).toBeLessThan(63 + 4 * 11.2)
  })

  it.each(['new-catalogue-5f3a', 'cluster', 'cluster/', ''])(
    'are independent of the buckets of the salt "%s"',
    (salt) => {
      const inside = keys.filter((key) => stickyShare(`${salt}:${key}`) < 0.05)
      expect(inside.length).toBeGreaterThan(KEYS * 0.04)
      expect(chiSquare(inside)).toBeLessThan(63 + 4 * 11.2)
    },
  )

  it('stay the same from version to version', () => {
    expect(['', 'ada', 'user-1', 'ключ', '🦊'].map(clusterOf)).toMatchInlineSnapshot(`
      [
        24,
        32,
        6,
        50,
        15,
      ]
    `)
  })
})

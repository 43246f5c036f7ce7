/** Who is inside of a percentage, and that everybody stays on their side. */
import type { ManifestRollout } from '@switchyard/contracts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketOf, BUCKETS, RolloutTable } from '../src/index.ts'
import { largestDeviation } from './spread.ts'

const percentage = fc.integer({ min: 0, max: BUCKETS }).map((steps) => steps / 100)
const key = fc.string({ minLength: 1, maxLength: 100 }).filter((text) => text.trim() !== '')

function isInside(percent: number, user: string, change: Partial<ManifestRollout> = {}): boolean {
  const rollout = { name: 'r', flag: 'f', mode: 'serve', where: [], percent, key: ['claim:sub'], salt: 's' }
  const table = new RolloutTable<string>({
    rollouts: [{ ...rollout, ...change }],
    flags: new Set(['f']),
    readerOf: () => (name) => name,
  })
  return table.decide(user, 0).kind === 'inside'
}

describe('a percentage', () => {
  it('only adds when it is raised, and only removes when it is lowered', () => {
    const property = fc.property(percentage, percentage, key, (one, other, user) => {
      const [lower, higher] = one < other ? [one, other] : [other, one]
      if (isInside(lower, user)) expect(isInside(higher, user)).toBe(true)
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('has the same users again when the rollout was stopped and started', () => {
    const property = fc.property(percentage, key, (percent, user) => {
      const before = isInside(percent, user)
      expect(isInside(0, user)).toBe(false)
      expect(isInside(percent, user)).toBe(before)
    })
    fc.assert(property)
  })

  it('has the users whose bucket is below it, in steps of a hundredth', () => {
    const property = fc.property(key, (user) => {
      const bucket = bucketOf('s', user)
      expect(isInside(bucket / 100, user)).toBe(false)
      expect(isInside((bucket + 1) / 100, user)).toBe(true)
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('of 100 has everybody, and of 0 nobody', () => {
    fc.assert(fc.property(key, (user) => isInside(100, user) && !isInside(0, user)))
  })

  it('has other users with another salt', () => {
    const users = Array.from({ length: 1000 }, (_, number) => `user-${number}`)
    const both = users.filter((user) => isInside(50, user) && isInside(50, user, { salt: 'other' }))
    expect(Math.abs(both.length - 250)).toBeLessThan(60)
  })

  it('has as many of 100,000 keys as it says, within 0.5 points', () => {
    expect(largestDeviation(100_000)).toBeLessThanOrEqual(0.5)
  })
})

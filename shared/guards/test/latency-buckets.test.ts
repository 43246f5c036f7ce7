import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketAtLeast, bucketAtMost, LATENCY_BUCKETS, slownessOf } from '../src/latency-buckets.ts'
import { latencyBucket, lowerBound, SLOWNESS_BOUNDS_MS } from '../src/index.ts'

const buckets = Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => bucket)

describe('buckets of latency', () => {
  it('grow by less than 1.1 from a quarter of a millisecond to a minute', () => {
    expect(lowerBound(1)).toBe(0.25)
    expect(lowerBound(LATENCY_BUCKETS - 1)).toBe(65_536)
    for (const bucket of buckets.slice(2))
      expect(lowerBound(bucket) / lowerBound(bucket - 1)).toBeLessThan(1.0443)
  })

  it('have the latencies from their lower bound to the next', () => {
    for (const bucket of buckets) expect(latencyBucket(lowerBound(bucket))).toBe(bucket)
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e5, noNaN: true }), (milliseconds) => {
        const bucket = latencyBucket(milliseconds)
        expect(lowerBound(bucket)).toBeLessThanOrEqual(milliseconds)
        expect(lowerBound(bucket + 1)).toBeGreaterThan(milliseconds)
      }),
    )
  })

  it('take latencies that are none', () => {
    expect([Number.NaN, -5, Number.NEGATIVE_INFINITY].map(latencyBucket)).toEqual([0, 0, 0])
    expect(latencyBucket(Number.POSITIVE_INFINITY)).toBe(LATENCY_BUCKETS - 1)
  })

  it('say which bounds of slowness their latencies reach', () => {
    expect([0, 1.99, 2, 3.9, 4, 1023, 1024, 2048, 1e9].map((ms) => slownessOf(latencyBucket(ms)))).toEqual([
      0, 0, 1, 1, 2, 9, 10, 11, 11,
    ])
    for (const [at, bound] of SLOWNESS_BOUNDS_MS.entries())
      expect(slownessOf(latencyBucket(bound))).toBe(at + 1)
  })

  it('are found a factor above others, to the safe side', () => {
    for (const bucket of buckets.slice(1, -32)) {
      for (const factor of [1, 1.05, 1.3, 2, 3.7]) {
        const bound = lowerBound(bucket) * factor
        expect(lowerBound(bucketAtLeast(bucket, factor))).toBeGreaterThanOrEqual(bound * (1 - 1e-9))
        expect(lowerBound(bucketAtLeast(bucket, factor) - 1)).toBeLessThan(bound)
        expect(lowerBound(bucketAtMost(bucket, factor))).toBeLessThanOrEqual(bound * (1 + 1e-9))
        expect(lowerBound(bucketAtMost(bucket, factor) + 1)).toBeGreaterThan(bound)
      }
    }
    expect(bucketAtLeast(LATENCY_BUCKETS - 1, 2)).toBe(LATENCY_BUCKETS)
  })
})

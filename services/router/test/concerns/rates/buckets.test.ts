import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Draw, MemoryBuckets } from '../../../src/concerns/rates/buckets.ts'
import { FailingBuckets, NoBucketsError } from '../../../src/concerns/rates/failing-buckets.ts'
import { bucketKey } from '../../../src/concerns/rates/rate-key.ts'

const draw = (more: Partial<Draw> = {}): Draw => ({
  key: 'k',
  interval: 100,
  burst: 5,
  amount: 1,
  isEnforced: true,
  ...more,
})

describe('buckets in memory', () => {
  it('admit a burst, then one request whenever one unit has run in, and say how long that takes', () => {
    let now = 0
    const buckets = new MemoryBuckets(10, () => now)
    const take = () => buckets.take([draw()])[0]
    expect(Array.from({ length: 6 }, take)).toEqual([0, 0, 0, 0, 0, 100])
    now = 60
    expect(take()).toBeCloseTo(40)
    now = 100
    expect([take(), take()]).toEqual([0, 100])
    now = 10_000
    expect(Array.from({ length: 6 }, take)).toEqual([0, 0, 0, 0, 0, 100])
  })

  it('take nothing where one limit has too little, unless that limit is only measured', () => {
    const buckets = new MemoryBuckets(10, () => 0)
    const small = draw({ key: 'small', burst: 1 })
    expect(buckets.take([draw(), small])).toEqual([0, 0])
    expect(buckets.take([draw(), small])).toEqual([0, 100])
    expect(buckets.take([draw({ amount: 4 })])).toEqual([0])
    expect(buckets.take([draw({ key: 'other' }), { ...small, isEnforced: false }])).toEqual([0, 100])
    expect(buckets.take([draw({ key: 'other', amount: 5 })])[0]).toBe(100)
  })

  it('never hold what is more than they can', () => {
    expect(new MemoryBuckets(10, () => 0).take([draw({ amount: 6 })])).toEqual([Number.POSITIVE_INFINITY])
  })

  it('are forgotten when they are full again, and beyond the most that are remembered', () => {
    let now = 0
    const buckets = new MemoryBuckets(3, () => now)
    for (let key = 0; key < 100_000; key++) buckets.take([draw({ key: String(key) })])
    expect(buckets.size).toBe(3)
    now = 1000
    buckets.take([draw({ key: 'last' })])
    expect(buckets.size).toBe(1)
  })

  it('are forgotten little by little when many are full at once', () => {
    let now = 0
    const buckets = new MemoryBuckets(50_000, () => now)
    const sizeWith = (key: string): number => {
      buckets.take([{ key, interval: 100, burst: 1, amount: 1, isEnforced: true }])
      return buckets.size
    }
    for (let index = 0; index < 50_000; index++) sizeWith(`old ${index}`)
    now = 1000
    expect(['a', 'b', 'c', 'd'].map(sizeWith)).toEqual([30_001, 10_002, 3, 4])
  })

  it('admit what a counting of every millisecond admits, for any arrivals', () => {
    const arrivals = fc.array(fc.record({ after: fc.nat(300), amount: fc.integer({ min: 1, max: 6 }) }), {
      maxLength: 300,
    })
    fc.assert(
      fc.property(
        arrivals,
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 8 }),
        (all, interval, burst) => {
          let now = 0
          const buckets = new MemoryBuckets(10, () => now)
          // The model counts units, in parts of an interval so that all numbers are whole.
          let level = burst * interval
          let admitted = 0
          for (const { after, amount } of all) {
            now += after
            level = Math.min(burst * interval, level + after)
            const isEnough = level >= amount * interval
            if (isEnough) level -= amount * interval
            const [wait] = buckets.take([draw({ interval, burst, amount })])
            expect(wait === 0).toBe(isEnough)
            if (!isEnough && amount <= burst) expect(wait).toBeCloseTo(amount * interval - level)
            if (isEnough) admitted += amount
          }
          expect(admitted).toBeLessThanOrEqual(burst + now / interval)
        },
      ),
    )
  })
})

describe('buckets that routers share, while they cannot be asked', () => {
  const told: string[] = []
  const watcher = { away: (reason: string) => told.push(reason), back: () => told.push('back') }
  function failing(onFailure: 'allow' | 'deny' | 'memory') {
    const state = { now: 0, isAway: true, asked: 0 }
    const shared = {
      take: async (draws: readonly Draw[]) => {
        state.asked++
        if (state.isAway) throw new Error('refused')
        return draws.map(() => 0)
      },
    }
    const own = new MemoryBuckets(10, () => state.now)
    const buckets = new FailingBuckets({ shared, own, onFailure, watcher, now: () => state.now })
    return { state, take: async () => buckets.take([draw({ burst: 1 })]) }
  }

  it('are asked three times, then once in a second, and are back with the first answer', async () => {
    told.length = 0
    const { state, take } = failing('allow')
    for (let count = 0; count < 100; count++) expect(await take()).toEqual([0])
    expect([state.asked, told]).toEqual([3, ['refused']])
    state.now = 1000
    for (let count = 0; count < 100; count++) await take()
    expect(state.asked).toBe(4)
    state.isAway = false
    state.now = 2000
    await take()
    await take()
    expect([state.asked, told]).toEqual([6, ['refused', 'back']])
  })

  it('refuse everybody, or leave it to the memory of the process, as is said', async () => {
    const denying = failing('deny')
    for (let count = 0; count < 5; count++) await expect(denying.take()).rejects.toThrow(NoBucketsError)
    const counting = failing('memory')
    expect([await counting.take(), await counting.take()]).toEqual([[0], [100]])
  })
})

describe('keys', () => {
  it('tell any values apart, and are short', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.string({ unit: 'binary' })), { maxLength: 3 }),
        fc.array(fc.option(fc.string({ unit: 'binary' })), { maxLength: 3 }),
        (one, other) => {
          expect(bucketKey('r', one) === bucketKey('r', other)).toBe(
            JSON.stringify(one) === JSON.stringify(other),
          )
        },
      ),
    )
    expect(bucketKey('r', ['x'.repeat(100_000)]).length).toBeLessThan(60)
    expect(bucketKey('r', ['\ud800'.repeat(500)])).not.toBe(bucketKey('r', ['\ud801'.repeat(500)]))
  })
})

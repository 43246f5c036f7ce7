import { describe, expect, it } from 'vitest'
import { MOST_FLAGS_IN_USE, MOST_FLAGS_IN_USE_TEXT } from '@switchyard/contracts'
import { FlagUse } from '../../src/flags/flag-use.ts'

const MINUTE = 60_000

function use() {
  const clock = { now: 0 }
  return { clock, flagUse: new FlagUse({ now: () => clock.now }) }
}

describe('flags in use', () => {
  it('are those that were asked for in the last quarter of an hour, the most recent one first', () => {
    const { clock, flagUse } = use()
    for (const flag of ['a', 'b', 'a', 'c']) {
      clock.now += 5 * MINUTE
      flagUse.asked(flag)
    }
    expect(flagUse.inUse).toEqual(['c', 'a', 'b'])
    clock.now += 6 * MINUTE
    expect(flagUse.inUse).toEqual(['c', 'a'])
  })

  it('are known from others until nobody asked for them here for as long', () => {
    const { clock, flagUse } = use()
    flagUse.asked('own')
    expect(flagUse.heard(['most', 'less', 'own'])).toBe(true)
    expect(flagUse.inUse).toEqual(['own', 'most', 'less'])
    clock.now += 14 * MINUTE
    expect(flagUse.heard(['most', 'less', 'own'])).toBe(false)
    flagUse.asked('less')
    clock.now += MINUTE
    expect(flagUse.inUse).toEqual(['less'])
  })

  it('are forgotten with the config that has them', () => {
    const { flagUse } = use()
    for (const flag of ['a', 'b']) flagUse.asked(flag)
    flagUse.keepOnly(new Set(['b']))
    expect(flagUse.inUse).toEqual(['b'])
  })

  it('are told with those of workers, and never more than a heartbeat may hold', () => {
    const flagUse = new FlagUse({ others: () => ['of a worker', 'both'] })
    flagUse.asked('both')
    flagUse.asked('own')
    expect(flagUse.told).toEqual(['of a worker', 'both', 'own'])

    const many = new FlagUse()
    many.heard(Array.from({ length: 5000 }, (_, index) => `flag-${index}`))
    expect(many.told).toHaveLength(MOST_FLAGS_IN_USE)
    expect(many.inUse.length).toBeLessThanOrEqual(1000)
    const long = new FlagUse()
    long.heard(Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(1000, 'x')))
    expect(long.told.join('').length).toBeLessThanOrEqual(MOST_FLAGS_IN_USE_TEXT)
    expect(long.told.length).toBeGreaterThan(10)
  })
})

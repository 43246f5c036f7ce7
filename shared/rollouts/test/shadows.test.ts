/** Which requests are compared, and that nobody's answer depends on it. */
import type { ManifestRollout } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { bucketOf, RolloutTable } from '../src/index.ts'

type Asking = Readonly<Record<string, string>>

function shadow(change: Partial<ManifestRollout> = {}): ManifestRollout {
  return {
    name: 'compare',
    flag: 'next',
    mode: 'shadow',
    where: [],
    percent: 50,
    key: [],
    salt: 's',
    ...change,
  }
}

function table(...rollouts: ManifestRollout[]): RolloutTable<Asking> {
  return new RolloutTable<Asking>({
    rollouts,
    flags: new Set(['next', 'other']),
    readerOf: (source) => (asking) => ('name' in source ? (asking[source.name] ?? null) : null),
  })
}

function shadowOf(rollouts: ManifestRollout[], asking: Asking = {}, { operation = 'Q', random = 0 } = {}) {
  return table(...rollouts).shadowOf(asking, { now: 0, operation, random: () => random })?.name ?? null
}

describe('a shadow', () => {
  it('behind a rollout that is not understood compares nothing', () => {
    const unknown = { ...shadow({ name: 'later' }), mode: 'mirror' }
    expect(shadowOf([unknown, shadow()])).toBeNull()
    expect(table(unknown, shadow()).shadowFlags(0)).toEqual([])
  })

  it('selects nobody, and its sources are none of the answer', () => {
    const both = table(shadow({ percent: 100, key: ['cookie:visitor'] }))
    expect(both.decide({ visitor: 'a' }, 0)).toEqual({ kind: 'none' })
    expect(both.sources).toEqual([])
    expect(both.isPersonal(0)).toBe(false)
    expect(both.activeFlags(0)).toEqual([])
    expect(both.shadowFlags(0)).toEqual(['next'])
  })

  it('takes its percentage at random if it has no key', () => {
    expect(shadowOf([shadow()], {}, { random: 0.4999 })).toBe('compare')
    expect(shadowOf([shadow()], {}, { random: 0.5 })).toBe(null)
    expect(shadowOf([shadow({ percent: 0 })])).toBe(null)
    expect(shadowOf([shadow({ percent: 100 })], {}, { random: 0.9999 })).toBe('compare')
  })

  it('takes the same users always if it has a key, and goes by without one', () => {
    const keyed = shadow({ key: ['header:user'] })
    for (const user of ['a', 'b', 'c', 'd', 'e'])
      expect(shadowOf([keyed], { user })).toBe(bucketOf('s', user) < 5000 ? 'compare' : null)
    expect(shadowOf([keyed, shadow({ name: 'second' })])).toBe('second')
  })

  it('is for the operations that it names', () => {
    const one = shadow({ percent: 100, shadow: { operations: ['Products'] } })
    expect(shadowOf([one], {}, { operation: 'Products' })).toBe('compare')
    expect(shadowOf([one])).toBe(null)
    expect(table(one).shadowOf({}, { now: 0, operation: null, random: () => 0 })).toBe(null)
  })

  it('is for its audience, until it expires, and for flags that the manifest holds', () => {
    const where = [{ on: 'header:plan', equals: 'pro' }]
    expect(shadowOf([shadow({ where })], { plan: 'pro' })).toBe('compare')
    expect(shadowOf([shadow({ where })], { plan: 'free' })).toBe(null)
    expect(shadowOf([shadow({ expires: '1970-01-01T00:00:00.000Z' })])).toBe(null)
    expect(shadowOf([shadow({ flag: 'gone' }), shadow({ name: 'serving', mode: 'serve' })])).toBe(null)
  })
})

import { describe, expect, it } from 'vitest'
import {
  bucketsOf,
  ManifestRollout,
  ManifestRollouts,
  RolloutCondition,
  RolloutPercent,
  RolloutShadow,
  rolloutSourceOf,
} from '../src/index.ts'

describe('rolloutSourceOf', () => {
  it('reads each kind of source', () => {
    expect(rolloutSourceOf('claim:realm.plan')).toEqual({ kind: 'claim', path: 'realm.plan' })
    expect(rolloutSourceOf('claim:["https://shop.example/plan"]')).toEqual({
      kind: 'claim',
      path: ['https://shop.example/plan'],
    })
    expect(rolloutSourceOf('header:X-User')).toEqual({ kind: 'header', name: 'X-User' })
    expect(rolloutSourceOf('cookie:visitor')).toEqual({ kind: 'cookie', name: 'visitor' })
    for (const kind of ['client', 'client_version', 'address', 'visitor_cookie']) {
      expect(rolloutSourceOf(kind)).toEqual({ kind })
    }
  })

  it.each(['', 'claim:', 'claim:a..b', 'claim:[]', 'claim:[1]', 'claim:[', 'header:a b', 'ip', 'cookie:a=b'])(
    'refuses %j',
    (text) => expect(rolloutSourceOf(text)).toBeNull(),
  )
})

describe('RolloutCondition', () => {
  it('has exactly one test', () => {
    const accepts = (condition: object) =>
      RolloutCondition.safeParse({ on: 'claim:plan', ...condition }).success
    expect(accepts({ in: ['pro'] })).toBe(true)
    expect(accepts({ not: { equals: 'free' } })).toBe(true)
    expect(accepts({})).toBe(false)
    expect(accepts({ in: ['pro'], equals: 'pro' })).toBe(false)
    expect(accepts({ in: ['pro'], not: { equals: 'pro' } })).toBe(false)
    expect(accepts({ not: {} })).toBe(false)
    expect(accepts({ exists: false })).toBe(false)
  })

  it('limits how many values there are, and how long they are', () => {
    const accepts = (values: readonly string[]) =>
      RolloutCondition.safeParse({ on: 'header:X-Region', in: values }).success
    expect(accepts(Array.from({ length: 100 }, (_, index) => `v${index}`))).toBe(true)
    expect(accepts(Array.from({ length: 101 }, (_, index) => `v${index}`))).toBe(false)
    expect(accepts(['x'.repeat(200)])).toBe(true)
    expect(accepts(['x'.repeat(201)])).toBe(false)
  })

  it('is never on the cookie that routers assign', () => {
    expect(RolloutCondition.safeParse({ on: 'visitor_cookie', exists: true }).success).toBe(false)
  })
})

describe('RolloutPercent', () => {
  it.each([0, 0.01, 0.07, 1.13, 33.33, 99.99, 100])('takes %d, as whole buckets', (percent) => {
    expect(RolloutPercent.parse(percent)).toBe(percent)
    expect(bucketsOf(percent) / 100).toBeCloseTo(percent, 10)
  })

  it.each([-1, 100.01, 0.001, 12.345, Number.NaN])('refuses %d', (percent) => {
    expect(RolloutPercent.safeParse(percent).success).toBe(false)
  })
})

describe('ManifestRollout', () => {
  it('lets a router read one of a mode that it does not know', () => {
    const rollout = {
      name: 'a',
      flag: 'f',
      mode: 'later',
      where: [],
      percent: 1,
      key: ['address'],
      salt: 's',
    }
    expect(ManifestRollout.parse(rollout)).toEqual(rollout)
  })

  it('is replaced in a list by one that ends it if this version does not understand it', () => {
    const rollout = {
      name: 'a',
      flag: 'f',
      mode: 'serve',
      where: [],
      percent: 1,
      key: ['address'],
      salt: 's',
    }
    const later = { ...rollout, where: [{ on: 'moon', full: true }] }
    const unreadable = { mode: 'unreadable', where: [], percent: 0, key: [] }
    expect(ManifestRollouts.parse([later, rollout, null])).toEqual([
      { ...unreadable, name: 'a', flag: 'a', salt: 'a' },
      rollout,
      { ...unreadable, name: 'unreadable', flag: 'unreadable', salt: 'unreadable' },
    ])
  })
})

describe('RolloutShadow', () => {
  it.each([
    {},
    { subgraphs: [] },
    { operations: ['Products'] },
    { unordered: ['products.*.tags', 'tags', 'a.*.*.b'] },
  ])('takes %j', (shadow) => expect(RolloutShadow.parse(shadow)).toEqual(shadow))

  it.each([
    { operations: [] },
    { operations: ['a b'] },
    { unordered: ['*'] },
    { unordered: ['a..b'] },
    { unordered: ['a.0'] },
    { subgraphs: [''] },
  ])('refuses %j', (shadow) => expect(RolloutShadow.safeParse(shadow).success).toBe(false))

  it('lets a router read one with a member that it does not know', () => {
    expect(RolloutShadow.parse({ subgraphs: ['a'], later: 1 })).toEqual({ subgraphs: ['a'] })
  })
})

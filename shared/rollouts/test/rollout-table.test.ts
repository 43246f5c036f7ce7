import type { ManifestRollout, RolloutCondition, RolloutSource } from '@switchyard/contracts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PropertyValue, type RolloutDecision, RolloutTable } from '../src/index.ts'

type Asking = Readonly<Record<string, PropertyValue>>

const nameOf = (source: RolloutSource): string => {
  if (source.kind === 'claim') return `claim:${String(source.path)}`
  return 'name' in source ? `${source.kind}:${source.name}` : source.kind
}

function rollout(change: Partial<ManifestRollout> = {}): ManifestRollout {
  return {
    name: 'catalogue',
    flag: 'next',
    mode: 'serve',
    where: [],
    percent: 50,
    key: ['claim:sub'],
    salt: 'salt',
    ...change,
  }
}

function tableOf(rollouts: readonly ManifestRollout[], flags = ['next', 'other']): RolloutTable<Asking> {
  return new RolloutTable<Asking>({
    rollouts,
    flags: new Set(flags),
    readerOf: (source) => (asking) => asking[nameOf(source)] ?? null,
  })
}

const decided = (decision: RolloutDecision) =>
  decision.kind === 'none' ? 'none' : `${decision.rollout}: ${decision.kind}`
const inAudience = (condition: RolloutCondition, asking: Asking) =>
  tableOf([rollout({ where: [condition], percent: 100, key: [] })]).decide(asking, 0).kind === 'inside'

describe('a condition', () => {
  it.each<[RolloutCondition, Asking, boolean]>([
    [{ on: 'claim:plan', equals: 'pro' }, { 'claim:plan': 'pro' }, true],
    [{ on: 'claim:plan', equals: 'pro' }, { 'claim:plan': 'Pro' }, false],
    [{ on: 'claim:plan', equals: 'pro' }, { 'header:plan': 'pro' }, false],
    [{ on: 'claim:plan', equals: 'pro' }, { 'claim:plan': ['free', 'pro'] }, true],
    [{ on: 'claim:plan', equals: 'pro' }, { 'claim:plan': [] }, false],
    [{ on: 'claim:plan', equals: 'pro' }, {}, false],
    [{ on: 'claim:plan', not: { equals: 'pro' } }, { 'claim:plan': 'free' }, true],
    [{ on: 'claim:plan', not: { equals: 'pro' } }, { 'claim:plan': 'pro' }, false],
    [{ on: 'claim:plan', not: { equals: 'pro' } }, { 'claim:plan': ['free', 'pro'] }, false],
    [{ on: 'claim:plan', not: { equals: 'pro' } }, {}, true],
    [{ on: 'header:x', in: ['a', 'b'] }, { 'header:x': 'b' }, true],
    [{ on: 'header:x', in: ['a', 'b'] }, { 'header:x': 'a, b' }, false],
    [{ on: 'header:x', starts_with: 'ab' }, { 'header:x': 'abc' }, true],
    [{ on: 'header:x', starts_with: 'ab' }, { 'header:x': 'xab' }, false],
    [{ on: 'header:x', ends_with: 'bc' }, { 'header:x': 'abc' }, true],
    [{ on: 'header:x', exists: true }, { 'header:x': '' }, true],
    [{ on: 'header:x', exists: true }, {}, false],
    [{ on: 'header:x', not: { exists: true } }, {}, true],
    [{ on: 'claim:x', exists: true }, { 'claim:x': [] }, true],
    [{ on: 'client_version', semver: '>=2.1.0 <3' }, { client_version: '2.1.0' }, true],
    [{ on: 'client_version', semver: '>=2.1.0 <3' }, { client_version: 'v2.10.3+45' }, true],
    [{ on: 'client_version', semver: '>=2.1.0 <3' }, { client_version: '2.1' }, true],
    [{ on: 'client_version', semver: '>=2.1.0 <3' }, { client_version: '2' }, false],
    [{ on: 'client_version', semver: '>=2.1.0 <3' }, { client_version: '2.2-beta' }, true],
    [{ on: 'client_version', semver: '>=2.1.0 <3' }, { client_version: '3.0.0-beta.1' }, false],
    [{ on: 'client_version', semver: '>=2.1.0 <3' }, { client_version: '2.1.0.4' }, false],
    [{ on: 'client_version', semver: '1.x || >5' }, { client_version: '6.0.0' }, true],
    [{ on: 'client_version', semver: '*' }, { client_version: '6.0.0' }, true],
    [{ on: 'client_version', not: { semver: '>=2' } }, { client_version: 'unknown' }, true],
    [{ on: 'address', equals: '192.0.2.7' }, { address: '192.0.2.7' }, true],
    [{ on: 'address', equals: '192.0.2.7' }, { address: '192.0.2.70' }, false],
    [{ on: 'address', in: ['10.0.0.0/8', '192.0.2.0/25'] }, { address: '192.0.2.127' }, true],
    [{ on: 'address', in: ['10.0.0.0/8', '192.0.2.0/25'] }, { address: '192.0.2.128' }, false],
    [{ on: 'address', equals: '0.0.0.0/0' }, { address: '255.1.2.3' }, true],
    [{ on: 'address', equals: '128.0.0.0/1' }, { address: '::ffff:200.1.2.3' }, true],
    [{ on: 'address', equals: '::/0' }, { address: '10.0.0.1' }, false],
    [{ on: 'address', equals: '2001:db8::/32' }, { address: '2001:db8:ffff:1' }, true],
    [{ on: 'address', equals: '2001:db8::/33' }, { address: '2001:db8:ffff:1' }, false],
    [{ on: 'address', equals: '2001:db8:0:1::/64' }, { address: '2001:db8:0:1' }, true],
    [{ on: 'address', equals: '2001:db8:0:1::/64' }, { address: '2001:db8:0:2' }, false],
    [{ on: 'address', equals: '2001:db8:0:1::5' }, { address: '2001:DB8:0:1:9:8:7:6' }, true],
    [{ on: 'address', equals: '::1' }, { address: '::1' }, true],
    [{ on: 'address', equals: '10.0.0.0/8' }, { address: 'unknown' }, false],
    [{ on: 'address', starts_with: '10.' }, { address: '10.1.2.3' }, true],
  ])('%j and %j', (condition, asking, expected) => {
    expect(inAudience(condition, asking)).toBe(expected)
  })

  it.each<RolloutCondition>([
    { on: 'client_version', semver: '>=>' },
    { on: 'client_version', not: { semver: '>=>' } },
    { on: 'address', equals: '10.0.0.0/33' },
    { on: 'address', not: { in: ['10.0.0.1', 'ten'] } },
    { on: 'address', equals: '10.0.0.1/8/8' },
    { on: 'address', equals: '2001:db8:0:1' },
  ])('that cannot be understood holds for nobody: %j', (condition) => {
    const table = tableOf([rollout({ where: [condition], percent: 100, key: [] })])
    for (const asking of [{}, { client_version: '1.0.0', address: '10.0.0.1' }])
      expect(table.decide(asking, 0).kind).toBe('none')
    expect(table.problems).toEqual([{ rollout: 'catalogue', message: expect.stringContaining(condition.on) }])
  })
})

describe('the rollouts of a graph', () => {
  it('are tried in their order, and the first one whose audience and key a request has decides', () => {
    const table = tableOf([
      rollout({ name: 'a', mode: 'shadow' }),
      rollout({ name: 'b', flag: 'gone' }),
      rollout({ name: 'c', expires: '2026-01-01T00:00:00.000Z', percent: 100 }),
      rollout({ name: 'd', where: [{ on: 'claim:plan', equals: 'pro' }], percent: 100 }),
      rollout({ name: 'e', key: ['header:x', 'claim:other'], percent: 100 }),
      rollout({ name: 'f', key: [], percent: 50 }),
      rollout({ name: 'g', percent: 0 }),
      rollout({ name: 'h', percent: 100, key: [] }),
    ])
    const now = Date.parse('2026-01-01T00:00:00.000Z')
    const of = (asking: Asking, at = now) => decided(table.decide(asking, at))
    expect(of({ 'claim:sub': 'ann', 'claim:plan': 'pro' })).toBe('d: inside')
    expect(of({ 'claim:sub': 'ann', 'claim:other': 'x' })).toBe('e: inside')
    expect(of({ 'claim:sub': 'ann', 'claim:other': ['x'] })).toBe('g: control')
    expect(of({ 'claim:sub': 'ann' })).toBe('g: control')
    expect(of({})).toBe('h: inside')
    expect(of({ 'claim:sub': 'ann' }, now - 1)).toBe('c: inside')
    expect(table.problems.map(({ rollout: name }) => name)).toEqual(['f'])
    expect(table.activeFlags(now)).toEqual(['next'])
  })

  it.each([
    ['', 'absent'],
    [' \t', 'absent'],
    ['é'.repeat(257), 'absent'],
    ['x'.repeat(8192), 'absent'],
    ['é'.repeat(256), 'present'],
    [' x', 'present'],
  ])('take the key %j as %s', (key, expected) => {
    const decision = tableOf([rollout()]).decide({ 'claim:sub': key }, 0)
    expect(decision.kind === 'none' ? 'absent' : 'present').toBe(expected)
  })

  it('are personal while one of them reads who asks, or from where', () => {
    const now = Date.parse('2026-01-01T00:00:00.000Z')
    const expires = '2026-01-01T00:00:00.000Z'
    const isPersonal = (change: Partial<ManifestRollout>) => tableOf([rollout(change)]).isPersonal(now)
    expect(isPersonal({ key: ['header:x'] })).toBe(false)
    expect(isPersonal({ key: ['header:x'], where: [{ on: 'client', equals: 'ios' }] })).toBe(false)
    expect(isPersonal({ key: ['header:x', 'cookie:y'] })).toBe(true)
    expect(isPersonal({ key: ['visitor_cookie'] })).toBe(true)
    expect(isPersonal({ key: [], percent: 100, where: [{ on: 'address', equals: '10.0.0.1' }] })).toBe(true)
    expect(isPersonal({ percent: 0 })).toBe(true)
    expect(isPersonal({ expires })).toBe(false)
    expect(isPersonal({ flag: 'gone' })).toBe(false)
    expect(isPersonal({ mode: 'shadow' })).toBe(false)
  })

  it('list what they read, each once', () => {
    const where = [
      { on: 'claim:plan', equals: 'pro' } as const,
      { on: 'client_version', exists: true } as const,
    ]
    const { sources } = tableOf([rollout({ where }), rollout({ where, key: ['claim:sub', 'header:x'] })])
    expect(sources.map(nameOf)).toEqual(['claim:plan', 'client_version', 'claim:sub', 'header:x'])
  })
})

describe('an explanation', () => {
  it('says of each rollout up to the deciding one why it did or did not hold', () => {
    const table = tableOf([
      rollout({ name: 'a', flag: 'gone' }),
      rollout({
        name: 'b',
        where: [
          { on: 'claim:plan', equals: 'pro' },
          { on: 'header:x', exists: true },
        ],
      }),
      rollout({ name: 'c', key: ['header:x'] }),
      rollout({ name: 'd', percent: 0 }),
      rollout({ name: 'e' }),
    ])
    const { decision, rollouts } = table.explain({ 'claim:sub': 'ann', 'claim:plan': 'free' }, 0)
    expect(decided(decision)).toBe('d: control')
    expect(rollouts).toMatchObject([
      { rollout: 'a', outcome: 'unknown-flag', conditions: [], key: null },
      {
        rollout: 'b',
        outcome: 'other-audience',
        conditions: [
          { seen: 'free', holds: false },
          { seen: null, holds: false },
        ],
      },
      { rollout: 'c', outcome: 'no-key', key: null },
      { rollout: 'd', outcome: 'control', percent: 0, key: { source: 'claim:sub', text: 'ann' } },
    ])
  })

  it('says what was decided, whatever the rollouts are', () => {
    const texts = fc.constantFrom('a', 'b', 'c', '')
    const source = fc.constantFrom('claim:sub', 'header:x', 'client')
    const condition = fc.oneof(
      fc.record({ on: source, equals: texts }),
      fc.record({ on: source, not: fc.record({ equals: texts }) }),
      fc.record({ on: source, semver: fc.constant('>>') }),
    )
    const any = fc.record({
      name: fc.constantFrom('one', 'two', 'three'),
      flag: fc.constantFrom('next', 'other', 'gone'),
      mode: fc.constantFrom('serve', 'shadow'),
      where: fc.array(condition, { maxLength: 3 }),
      percent: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
      key: fc.array(source, { maxLength: 2 }),
      salt: texts,
    })
    const asking = fc.dictionary(source, texts)
    const property = fc.property(fc.array(any), asking, (rollouts, asked) => {
      const table = tableOf(rollouts)
      expect(table.explain(asked, 0).decision).toEqual(table.decide(asked, 0))
    })
    fc.assert(property, { numRuns: 500 })
  })
})

describe('a rollout that is not understood', () => {
  const first = rollout({ name: 'first', where: [{ on: 'claim:plan', equals: 'pro' }], percent: 100 })
  const last = rollout({ name: 'last', percent: 100 })

  it('ends the list, so that no later rollout takes the requests that may belong to it', () => {
    const table = tableOf([first, rollout({ name: 'later', mode: 'mirror' }), last])
    expect(decided(table.decide({ 'claim:sub': 'ada', 'claim:plan': 'pro' }, 0))).toBe('first: inside')
    expect(decided(table.decide({ 'claim:sub': 'ada' }, 0))).toBe('none')
    expect(table.activeFlags(0)).toEqual(['next'])
    expect(tableOf([rollout({ mode: 'mirror' }), last]).activeFlags(0)).toEqual([])
    expect(table.problems).toEqual([
      { rollout: 'later', message: expect.stringContaining('rollouts behind it select nobody') },
    ])
    const { decision, rollouts } = table.explain({ 'claim:sub': 'ada' }, 0)
    expect(decision).toEqual({ kind: 'none' })
    expect(rollouts.map(({ outcome }) => outcome)).toEqual(['other-audience', 'not-understood'])
  })

  it('takes only those from later rollouts who may be of its audience', () => {
    const where: RolloutCondition[] = [
      { on: 'claim:plan', equals: 'pro' },
      { on: 'client_version', semver: 'newer than the moon' },
    ]
    for (const condition of [where[1], { on: 'client_version', not: { semver: 'moon' } }]) {
      const ownKey = { where: [where[0], condition].filter((one) => one !== undefined), key: ['cookie:id'] }
      const table = tableOf([rollout({ name: 'broken', percent: 100, ...ownKey }), last])
      const pro = { 'claim:sub': 'ada', 'claim:plan': 'pro' }
      expect(decided(table.decide({ ...pro, 'cookie:id': '1' }, 0))).toBe('none')
      expect(table.explain({ ...pro, 'cookie:id': '1' }, 0).rollouts).toHaveLength(1)
      expect(decided(table.decide(pro, 0))).toBe('last: inside')
      expect(decided(table.decide({ ...pro, 'claim:plan': 'free', 'cookie:id': '1' }, 0))).toBe(
        'last: inside',
      )
    }
  })
})

describe('a rollout that is stopped', () => {
  it('gives everybody base, and is still the one that decides', () => {
    const table = tableOf([rollout(), rollout({ name: 'later', flag: 'other', percent: 100 })])
    const users = Array.from({ length: 100 }, (_, user) => ({ 'claim:sub': `user-${user}` }))
    const kinds = () => new Set(users.map((asking) => decided(table.decide(asking, 0))))
    expect(kinds()).toEqual(new Set(['catalogue: inside', 'catalogue: control']))
    table.stop('unknown')
    expect(table.activeFlags(0)).toEqual(['next', 'other'])
    table.stop('catalogue')
    expect(kinds()).toEqual(new Set(['catalogue: control']))
    expect(table.activeFlags(0)).toEqual(['other'])
    expect(table.explain({ 'claim:sub': 'user-1' }, 0).decision).toMatchObject({
      kind: 'control',
      percent: 0,
    })
  })

  it('gives everybody base at 100 percent as well, with and without keys', () => {
    for (const key of [[], ['claim:sub']]) {
      const table = tableOf([rollout({ percent: 100, key })])
      expect(decided(table.decide({ 'claim:sub': 'ann' }, 0))).toBe('catalogue: inside')
      table.stop('catalogue')
      expect(decided(table.decide({ 'claim:sub': 'ann' }, 0))).toBe('catalogue: control')
    }
  })
})

/**
 * What a newer manifest takes from requests before its own compositions are built, and what it never gives.
 */
import type { ManifestRollout, RolloutSource } from '@switchyard/contracts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bucketOf,
  type ManifestWithRollouts,
  mayTakeBack,
  type RolloutDecision,
  RolloutsTakenBack,
  RolloutTable,
} from '../src/index.ts'

type Asking = Readonly<Record<string, string>>

const EXPIRES = '2030-01-01T00:00:00.000Z'
const AFTER = Date.parse(EXPIRES)

const Rollout = (name: string): fc.Arbitrary<ManifestRollout> =>
  fc
    .record({
      flag: fc.constantFrom('next', 'next', 'other', 'gone'),
      mode: fc.constantFrom('serve', 'serve', 'serve', 'serve', 'shadow', 'mirror'),
      where: fc.constantFrom<ManifestRollout['where']>(
        [],
        [],
        [{ on: 'claim:plan', equals: 'pro' }],
        [{ on: 'claim:plan', not: { equals: 'pro' } }],
        [{ on: 'client_version', semver: 'no version' }],
      ),
      percent: fc.constantFrom(0, 20, 50, 80, 100),
      key: fc.constantFrom<ManifestRollout['key']>(['claim:sub'], ['claim:sub'], ['cookie:id'], []),
      salt: fc.constantFrom('salt', 'salt', 'pepper'),
      expires: fc.constantFrom(undefined, undefined, EXPIRES),
    })
    .map(({ expires, ...rollout }) => ({ ...rollout, name, ...(expires === undefined ? {} : { expires }) }))

const Rollouts = fc
  .shuffledSubarray(['a', 'b', 'c'])
  .chain((names) => fc.tuple(...names.map((name) => Rollout(name))))

/** Rollouts, and newer ones, which have many of the same rollouts. */
const Change = fc
  .tuple(Rollouts, Rollouts, fc.array(fc.boolean(), { maxLength: 3 }))
  .map(
    ([served, other, stays]) =>
      [served, [...served.filter((_, at) => stays[at] === true), ...other].filter(isFirstOfName)] as const,
  )

const Request: fc.Arbitrary<Asking> = fc
  .record({
    'claim:sub': fc.option(fc.constantFrom(...Array.from({ length: 20 }, (_, at) => `user-${at}`))),
    'claim:plan': fc.option(fc.constantFrom('pro', 'free')),
    'cookie:id': fc.option(fc.constantFrom('1', '2', '3', '4')),
  })
  .map((properties) =>
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
  )
const Now = fc.constantFrom(0, AFTER)

function isFirstOfName({ name }: ManifestRollout, at: number, all: readonly ManifestRollout[]): boolean {
  return all.findIndex((one) => one.name === name) === at
}

const nameOf = (source: RolloutSource) =>
  source.kind === 'claim'
    ? `claim:${String(source.path)}`
    : 'name' in source
      ? `${source.kind}:${source.name}`
      : source.kind

const withFlags = (rollouts: readonly ManifestRollout[]): ManifestWithRollouts => ({
  rollouts,
  flags: new Set(['next', 'other']),
})
const tableOf = (rollouts: readonly ManifestRollout[]) =>
  new RolloutTable<Asking>({
    ...withFlags(rollouts),
    readerOf: (source) => (asking) => asking[nameOf(source)] ?? null,
  })
const flagOf = (decision: RolloutDecision) => (decision.kind === 'inside' ? decision.flag : null)

const RUNS = { numRuns: 3000 }

describe('rollouts of which a newer manifest takes something back', () => {
  it('give a flag only where both give it, and are what they were otherwise', () => {
    let taken = 0
    let kept = 0
    const property = fc.property(Change, Request, Now, ([served, newer], asking, now) => {
      const before = tableOf(served).decide(asking, now)
      const wanted = tableOf(newer).decide(asking, now)
      const merged = new RolloutsTakenBack(tableOf(served), [tableOf(newer)]).decide(asking, now)
      expect([before, { kind: 'none' }]).toContainEqual(merged)
      expect(flagOf(merged)).toBe(flagOf(before) === flagOf(wanted) ? flagOf(before) : null)
      if (flagOf(before) === null) return
      if (flagOf(merged) === null) taken++
      else kept++
    })
    fc.assert(property, RUNS)
    expect(Math.min(taken, kept)).toBeGreaterThan(50)
  })

  it('give nothing that any of several newer manifests takes, whatever the next one says', () => {
    const property = fc.property(Change, Rollouts, Request, Now, ([served, newer], newest, asking, now) => {
      const tables = [served, newer, newest].map(tableOf)
      const [first = tableOf([]), ...others] = tables
      const flags = new Set(tables.map((table) => flagOf(table.decide(asking, now))))
      const merged = new RolloutsTakenBack(first, others).decide(asking, now)
      expect(flagOf(merged)).toBe(flags.size === 1 ? [...flags][0] : null)
    })
    fc.assert(property, RUNS)
  })

  it('compare answers only where both do', () => {
    const property = fc.property(
      Change,
      Request,
      Now,
      fc.double({ min: 0, max: 1, maxExcluded: true }),
      ([served, newer], asking, now, dice) => {
        const question = { now, operation: 'Q', random: () => dice }
        const [before, wanted] = [tableOf(served), tableOf(newer)]
        const merged = new RolloutsTakenBack(before, [wanted]).shadowOf(asking, question)
        const [one, other] = [before.shadowOf(asking, question), wanted.shadowOf(asking, question)]
        expect(merged).toEqual(one?.flag === other?.flag ? one : null)
      },
    )
    fc.assert(property, RUNS)
  })

  it('explain what they decide', () => {
    const property = fc.property(Change, Request, Now, ([served, newer], asking, now) => {
      const merged = new RolloutsTakenBack(tableOf(served), [tableOf(newer)])
      const { decision, rollouts } = merged.explain(asking, now)
      expect(decision).toEqual(merged.decide(asking, now))
      const isTaken = tableOf(served).decide(asking, now).kind !== decision.kind
      expect(rollouts.at(-1)?.outcome === 'taken-back').toBe(isTaken)
    })
    fc.assert(property, RUNS)
  })

  it('keep control groups to the audience that both have', () => {
    const user = Array.from({ length: 50 }, (_, at) => `user-${at}`).find(
      (name) => bucketOf('s', name) > 5000,
    )
    const asking: Asking = { 'claim:sub': user ?? '', 'claim:plan': 'free' }
    const half = rollout({ percent: 50 })
    const decided = (newer: ManifestRollout[]) =>
      new RolloutsTakenBack(tableOf([half]), [tableOf(newer)]).decide(asking, 0).kind
    expect(decided([{ ...half, percent: 5 }])).toBe('control')
    expect(decided([{ ...half, percent: 100 }])).toBe('control')
    expect(decided([{ ...half, where: [{ on: 'claim:plan', equals: 'pro' }] }])).toBe('none')
    expect(decided([rollout({ name: 'before' }), half])).toBe('none')
    expect(decided([])).toBe('none')
  })

  it('read what either of them reads, since answers depend on it', () => {
    const newer = [rollout({ key: ['cookie:id', 'claim:sub'] })]
    const merged = new RolloutsTakenBack(tableOf([rollout({ key: ['header:X-User'] })]), [
      tableOf(newer),
      null,
    ])
    expect(merged.sources.map(nameOf)).toEqual(['header:X-User', 'cookie:id', 'claim:sub'])
    expect(merged.isPersonal(0)).toBe(true)
  })

  it('are stopped like others', () => {
    const all = [rollout({ percent: 100 })]
    const merged = new RolloutsTakenBack(tableOf(all), [tableOf(all)])
    expect(merged.decide({ 'claim:sub': 'ada' }, 0).kind).toBe('inside')
    merged.stop('catalogue')
    expect(merged.decide({ 'claim:sub': 'ada' }, 0).kind).toBe('control')
  })
})

describe('the rollouts that lose requests by a newer manifest', () => {
  it('are all that do, at any time from now on', () => {
    let kept = 0
    const property = fc.property(Change, Request, ([served, newer], asking) => {
      const lost = mayTakeBack(withFlags(served), withFlags(newer), 0)
      for (const now of [0, AFTER]) {
        const before = tableOf(served).decide(asking, now)
        if (before.kind !== 'inside' || lost.includes(before.rollout)) continue
        kept++
        expect(flagOf(tableOf(newer).decide(asking, now))).toBe(before.flag)
      }
      for (const dice of [0, 0.3, 0.6, 0.9]) {
        const question = { now: 0, operation: 'Q', random: () => dice }
        const before = tableOf(served).shadowOf(asking, question)
        if (before === null || lost.includes(before.name)) continue
        expect(tableOf(newer).shadowOf(asking, question)?.flag).toBe(before.flag)
      }
    })
    fc.assert(property, RUNS)
    expect(kept).toBeGreaterThan(50)
  })

  const one = rollout({ name: 'one', where: [{ on: 'claim:plan', equals: 'pro' }] })
  const two = rollout({ name: 'two' })
  it.each<[string, ManifestRollout[], string[]]>([
    ['nothing changes', [one, two], []],
    [
      'a percentage is raised',
      [
        { ...one, percent: 60 },
        { ...two, percent: 100 },
      ],
      [],
    ],
    ['a percentage is lowered', [{ ...one, percent: 49 }, two], ['one']],
    ['a rollout is stopped', [one, { ...two, percent: 0 }], ['two']],
    ['a rollout is removed', [two], ['one']],
    ['a rollout is added behind', [one, two, rollout({ name: 'three' })], []],
    ['a rollout is added in front', [rollout({ name: 'three' }), one, two], ['one', 'two']],
    ['rollouts change places', [two, one], ['one']],
    ['a rollout only compares from now on', [one, { ...two, mode: 'shadow' }], ['two']],
    ['a flag goes', [one, { ...two, flag: 'gone' }], ['two']],
    ['an audience changes', [{ ...one, where: [] }, two], ['one', 'two']],
    ['groups are drawn anew', [one, { ...two, salt: 'pepper' }], ['two']],
    ['one in front is not understood', [{ ...one, mode: 'mirror' }, two], ['one', 'two']],
  ])('are told where %s', (_, newer, lost) => {
    expect(mayTakeBack(withFlags([one, two]), withFlags(newer), 0)).toEqual(lost)
  })
})

function rollout(change: Partial<ManifestRollout> = {}): ManifestRollout {
  const key = ['claim:sub']
  return { name: 'catalogue', flag: 'next', mode: 'serve', where: [], percent: 50, key, salt: 's', ...change }
}

/** Users who stay on their side of a progressive override. */
import * as fc from 'fast-check'
import { stickyShare } from '@switchyard/values'
import { describe, expect, it } from 'vitest'
import {
  type LabelledComposition,
  OverrideLabels,
} from '../../../src/concerns/override-labels/override-labels.ts'
import type { KeySource } from '../../../src/concerns/override-labels/settings.ts'
import type { Asking } from '../../../src/request/asking.ts'

const GRAPH = { namespace: 'default', graph: 'shop' }
const BASE: LabelledComposition = { flag: null, config: { graph: GRAPH, featureFlags: new Set(['next']) } }

function labelsBy(...key: readonly KeySource[]): OverrideLabels {
  const random = () => {
    throw new Error('drawn')
  }
  return new OverrideLabels({ alwaysActive: new Set(['next', 'beta']), key, random })
}

const asking = (change: Partial<Asking>): Asking => ({
  address: '',
  clientName: '',
  clientVersion: '',
  headers: {},
  identity: null,
  visitor: null,
  ...change,
})
const user = (name: string) => asking({ headers: { 'x-user': name } })
const byUser = labelsBy({ header: 'X-User' })
const active = (labels: OverrideLabels, from: Asking, asked = ['percent(50)']) =>
  labels.activeOf(asked, from, BASE)

/** Labels with up to eight decimals, as schemas may have them. */
const percentLabel = fc
  .oneof(
    fc.integer({ min: 0, max: 100 }),
    fc.integer({ min: 0, max: 10_000_000_000 }).map((n) => n / 1e8),
  )
  .filter((percent) => !String(percent).includes('e'))
  .map((percent) => `percent(${percent})`)

describe('the side of a user', () => {
  it('is where the hash of namespace, graph and key falls', () => {
    for (let number = 0; number < 1000; number++) {
      const name = `user-${number}`
      const isInside = stickyShare(`default/shop/override:${name}`) < 0.125
      const { labels, isSticky } = active(byUser, user(name), ['percent(12.5)'])
      expect([labels.size, isSticky]).toEqual([isInside ? 1 : 0, true])
    }
  })

  it('is inside every percentage above one that it is inside of', () => {
    const property = fc.property(fc.string(), fc.array(percentLabel), (name, asked) => {
      fc.pre(name !== '')
      const { labels } = active(byUser, user(name), asked)
      const percent = (label: string) => Number(label.slice(8, -1))
      const least = Math.min(...[...labels].map(percent))
      expect(asked.filter((label) => percent(label) >= least)).toEqual(
        asked.filter((label) => labels.has(label)),
      )
    })
    fc.assert(property)
  })

  it('is the same text for two users exactly if all labels of the graph are', () => {
    const property = fc.property(fc.string(), fc.string(), fc.array(percentLabel), (one, other, asked) => {
      fc.pre(one !== '' && other !== '')
      const activeFor = (name: string) => active(byUser, user(name), asked).labels
      const sideOf = (name: string) => byUser.sideOf(asked, user(name), GRAPH)
      expect(sideOf(one) === sideOf(other)).toBe(
        String([...activeFor(one)]) === String([...activeFor(other)]),
      )
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('is one of a range, so that sides of two sets of labels never look alike', () => {
    const ann = stickyShare('default/shop/override:ann') * 100
    expect(ann).toBeCloseTo(9.7, 2)
    expect(byUser.sideOf(['percent(10)', 'percent(25)'], user('ann'), GRAPH)).toBe('0-10')
    expect(byUser.sideOf(['percent(5)', 'percent(25)'], user('ann'), GRAPH)).toBe('5-25')
    expect(byUser.sideOf(['percent(5)'], user('ann'), GRAPH)).toBe('5-100')
  })

  it('says nothing where no key or no label decides', () => {
    const labels = ['percent(50)']
    expect(labelsBy().sideOf(labels, user('ann'), GRAPH)).toBe('')
    expect(byUser.sideOf(labels, asking({}), GRAPH)).toBe('')
    expect(byUser.sideOf(['beta', 'percent(0)', 'percent(100)'], user('ann'), GRAPH)).toBe('')
    expect(byUser.sideOf([], user('ann'), GRAPH)).toBe('')
  })

  it('is that of the key alone while the labels of a composition are not known', () => {
    const sides = ['ann', 'ben', 'ann'].map((name) => byUser.sideOf(null, user(name), GRAPH))
    expect(sides[0]).toBe(sides[2])
    expect(sides[0]).not.toBe(sides[1])
    expect(byUser.sideOf(null, asking({}), GRAPH)).toBe('')
  })

  it('decides nothing where the label is the same for all', () => {
    const asked = ['percent(0)', 'percent(100)', 'beta']
    expect(active(byUser, user('ann'), asked)).toEqual({
      labels: new Set(['percent(100)', 'beta']),
      isSticky: false,
    })
  })
})

describe('the key of a request', () => {
  const claims = (value: unknown) => ({ identity: { claims: { sub: value }, key: 'k' } })
  const sources = [{ claim: 'sub' }, { header: 'X-User' }, { cookie: 'visitor' }, 'address'] as const
  const key = 'default/shop/override:'

  it.each<[string, Partial<Asking>, string]>([
    ['a claim', { ...claims('ann'), headers: { 'x-user': 'ben', cookie: 'visitor=eve' } }, 'ann'],
    ['a number in a claim', claims(17), '17'],
    ['a header, if the claim is no text', { ...claims({}), headers: { 'x-user': 'ben' } }, 'ben'],
    ['a cookie, if the header is blank', { headers: { 'x-user': '', cookie: 'a=b; visitor=eve' } }, 'eve'],
    ['an address', { address: '192.0.2.7', headers: { cookie: 'a=b' } }, '192.0.2.7'],
    [
      'the next source, if one is too long',
      { address: '::1', headers: { 'x-user': 'é'.repeat(257) } },
      '::1',
    ],
    ['up to 512 bytes long', { headers: { 'x-user': 'é'.repeat(256) } }, 'é'.repeat(256)],
  ])('is %s', (_, change, expected) => {
    const labels = labelsBy(...sources)
    const place = stickyShare(key + expected) * 100
    const asked = [`percent(${(place + 0.001).toFixed(3)})`, `percent(${(place - 0.001).toFixed(3)})`]
    expect([...active(labels, asking({ address: '192.0.2.1', ...change }), asked).labels]).toEqual([asked[0]])
  })

  it('may be missing, and then the label is drawn', () => {
    let draws = 0
    const random = () => (draws++, 0.4)
    const labels = new OverrideLabels({ alwaysActive: new Set(), key: [{ header: 'X-User' }], random })
    expect(active(labels, asking({}))).toEqual({ labels: new Set(['percent(50)']), isSticky: false })
    expect(draws).toBe(1)
  })
})

describe('a label that is the name of a flag', () => {
  it.each([
    [null, ['beta']],
    ['next', ['next', 'beta']],
    ['other', ['beta']],
  ])('is active where %s answers: %j', (flag, expected) => {
    const { labels } = byUser.activeOf(['next', 'beta'], user('ann'), { ...BASE, flag })
    expect([...labels]).toEqual(expected)
  })
})

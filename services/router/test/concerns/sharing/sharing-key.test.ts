import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HeaderRule } from '../../../src/concerns/headers/settings.ts'
import { ForwardedHeaders } from '../../../src/concerns/headers/forwarded-headers.ts'
import { type KeyedRequest, sharingKey } from '../../../src/concerns/sharing/sharing-key.ts'

const REQUEST: KeyedRequest = {
  method: 'POST',
  headers: {},
  mediaType: 'application/json',
  flag: { from: 'none' },
  identity: null,
  client: null,

  mutations: 0,
  documents: '',
  side: '',
}
const key = (change: Partial<KeyedRequest>, text = '{"query":"{ a }"}', names: readonly string[] = []) =>
  sharingKey(text, { ...REQUEST, ...change }, forwarding(names.map((propagate) => ({ propagate }))))
const forwarding = (all: readonly HeaderRule[]) =>
  new ForwardedHeaders({ all, bySubgraph: new Map(), byFlag: new Map(), previews: [] })

describe('two requests share', () => {
  it('whatever headers they have that no subgraph gets to see', () => {
    expect(key({ headers: { authorization: 'a', 'x-request-id': '1' } })).toEqual(key({}))
  })

  it('the flag that they name, be it by header or cookie', () => {
    const byCookie = key({ flag: { from: 'cookie', name: 'next' } })
    expect(key({ flag: { from: 'header', name: 'next' } })).toEqual(byCookie)
  })
})

describe('two requests do not share', () => {
  it.each<[string, Partial<KeyedRequest>, string?]>([
    ['another text', {}, '{"query":"{ b }"}'],
    ['another method', { method: 'GET' }],
    ['another media type', { mediaType: 'application/graphql-response+json' }],
    ['a flag', { flag: { from: 'header', name: 'next' } }],
    ['a flag that does not exist', { flag: { from: 'header', name: '' } }],
    ['other documents that it may use', { documents: ' 1' }],
    ['a mutation that ended in between', { mutations: 1 }],
    ['another side of an override', { side: '0-10' }],
    ['a header that a rule hands on', { headers: { authorization: 'a' } }],
    ['another identity', { identity: '2' }],
    ['a client of other limits', { client: 'partner' }],
    ['such a header without a value', { headers: { authorization: '' } }],
  ])('with %s', (_, change, text) => {
    expect(key(change, text, ['authorization'])).not.toEqual(key({}, undefined, ['authorization']))
  })

  it('where one is called as the other is identified', () => {
    expect(key({ client: 'partner' })).not.toEqual(key({ identity: 'partner' }))
  })

  it.each([
    ['no-cache', { 'cache-control': 'max-age=0, no-cache' }],
    ['no-store', { 'cache-control': 'No-Store' }],
    ['a probe', { 'x-switchyard-probe': '1' }],
  ])('when one of them says %s', (_, headers) => {
    expect(key({ headers })).toBeNull()
  })

  it('with a text that would take long to compare', () => {
    expect(key({}, 'x'.repeat(64 * 1024))).not.toBeNull()
    expect(key({}, 'x'.repeat(64 * 1024 + 1))).toBeNull()
  })
})

const NAMES = ['a', 'b', 'c']
const value = fc.option(fc.string({ unit: fc.constantFrom('|', ':', '1', ' ', 'x'), maxLength: 4 }), {
  nil: undefined,
})
const headers = fc.record(Object.fromEntries(NAMES.map((name) => [name, value])))

it('no two sets of forwarded headers look alike', () => {
  const alike = fc.property(headers, headers, (one, other) => {
    const isSame = NAMES.every((name) => one[name] === other[name])
    const contexts = [one, other].map((each) => key({ headers: each }, undefined, NAMES)?.context)
    expect(contexts[0] === contexts[1]).toBe(isSame)
  })
  fc.assert(alike, { numRuns: 2000 })
})

describe('where a rule hands headers on by a pattern', () => {
  const forwarded = forwarding([{ propagate_matching: 'x-*', except: ['x-free'] }, { propagate: 'y' }])
  const keyWith = (headers: KeyedRequest['headers']) =>
    sharingKey('{ a }', { ...REQUEST, headers }, forwarded)?.context

  it('two requests share that differ in no header that matches', () => {
    expect(keyWith({ 'x-a': '1', 'x-free': '1', z: '1', cookie: 'a' })).toBe(
      keyWith({ 'x-a': '1', 'x-free': '2', z: '2', cookie: 'b' }),
    )
  })

  it('two requests look alike only if all headers that match are equal, names and values', () => {
    const text = fc.string({ unit: fc.constantFrom('|', ':', '1', 'x', '-'), maxLength: 5 })
    const headers = fc.dictionary(
      fc.oneof(
        text.map((name) => `x-${name}`),
        fc.constant('y'),
      ),
      text,
    )
    fc.assert(
      fc.property(headers, headers, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        const sameSet =
          JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
        if (isSame) expect(keyWith(one)).toBe(keyWith(other))
        if (!sameSet) expect(keyWith(one)).not.toBe(keyWith(other))
      }),
      { numRuns: 2000 },
    )
  })
})

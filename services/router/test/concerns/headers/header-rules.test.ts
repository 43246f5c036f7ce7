import { describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../../src/config/router-config.ts'
import { compileHeaderRules, type RuledRequest } from '../../../src/concerns/headers/header-rules.ts'

const REQUEST: RuledRequest = {
  headers: {},
  requestId: 'id-1',
  identity: null,
  flag: null,
  operationName: null,
  plan: { kind: 'query' },
}

const TOKENS = 'authentication: { jwt: { providers: [{ name: a, jwks: [{ file: a }], audiences: any }] } }'

/** What a subgraph is sent under these rules, without the id of the request. */
function sentBy(rules: string, request: Partial<RuledRequest>): Record<string, string> {
  const text = `headers: { request: [${rules}] }\n${TOKENS}`
  const config = loadRouterConfig({ file: { path: 'router.yaml', text } })
  const out: string[] = []
  compileHeaderRules(config.headers.all, 'x-request-id').append({ ...REQUEST, ...request }, out)
  const pairs = Array.from({ length: out.length / 2 }, (_, index) => out.slice(2 * index, 2 * index + 2))
  expect(new Set(pairs.map(([name]) => name)).size).toBe(pairs.length)
  expect(pairs[0]).toEqual(['x-request-id', 'id-1'])
  return Object.fromEntries(pairs.slice(1))
}

describe('a rule that hands headers on by a pattern', () => {
  const headers = { 'x-tenant-id': '7', 'x-tenant-region': 'eu', 'x-other': 'no', authorization: 'Bearer a' }

  it('hands on those that match, under their own names', () => {
    expect(sentBy('{ propagate_matching: X-Tenant-* }', { headers })).toEqual({
      'x-tenant-id': '7',
      'x-tenant-region': 'eu',
    })
  })

  it('leaves exceptions out', () => {
    expect(sentBy('{ propagate_matching: x-*, except: [X-Other, x-tenant-id] }', { headers })).toEqual({
      'x-tenant-region': 'eu',
    })
  })

  it('never hands on cookies, hop-by-hop headers, what describes the body, trace tokens and ids of requests', () => {
    const all = {
      cookie: 'session=1',
      connection: 'x-a',
      host: 'shop.example',
      'content-length': '3',
      'content-type': 'text/plain',
      'transfer-encoding': 'chunked',
      'accept-encoding': 'gzip',
      te: 'trailers',
      traceparent: '00-1',
      'proxy-authorization': 'Basic a',
      'x-vendor-token': 'secret',
      'x-request-id': 'theirs',
      'x-a': '1',
    }
    expect(sentBy('{ propagate_matching: "*" }', { headers: all })).toEqual({ 'x-a': '1' })
    expect(sentBy('{ propagate_matching: "*" }, { propagate: cookie }', { headers: all })).toEqual({
      'x-a': '1',
      cookie: 'session=1',
    })
  })

  it('is followed and preceded by others: the last one that names a header decides', () => {
    const rules = '{ set: x-other, value: mine }, { propagate_matching: x-o* }'
    expect(sentBy(rules, { headers })).toEqual({ 'x-other': 'no' })
    expect(sentBy('{ propagate_matching: x-o* }, { set: x-other, value: mine }', { headers })).toEqual({
      'x-other': 'mine',
    })
  })
})

describe('a rule that removes a header', () => {
  it('takes away what rules before it have put there, and not what comes after it', () => {
    const headers = { 'x-a': '1', 'x-b': '2' }
    expect(sentBy('{ propagate_matching: x-* }, { remove: X-A }', { headers })).toEqual({ 'x-b': '2' })
    expect(sentBy('{ remove: x-a }, { propagate: x-a }', { headers })).toEqual({ 'x-a': '1' })
    expect(sentBy('{ set: x-a, value: v }, { remove: x-a }', { headers })).toEqual({})
    expect(sentBy('{ remove: x-none }', { headers })).toEqual({})
  })

  it('does not take away the id of the request', () => {
    expect(sentBy('{ remove: x-request-id }', {})).toEqual({})
  })
})

describe('a rule that sends what the router knows of a request', () => {
  const rules =
    '{ set: x-flag, from: feature_flag }, { set: x-op, from: operation_name }, { set: x-kind, from: operation_type }'

  it('sends the flag that answers, and name and type of the operation', () => {
    const request = { flag: 'new-prices', operationName: 'Cart', plan: { kind: 'mutation' } } as const
    expect(sentBy(rules, request)).toEqual({ 'x-flag': 'new-prices', 'x-op': 'Cart', 'x-kind': 'mutation' })
  })

  it('sends nothing where there is none', () => {
    expect(sentBy(rules, {})).toEqual({ 'x-kind': 'query' })
  })
})

describe('header rules that are none', () => {
  const problemOf = (rule: string): unknown => {
    try {
      loadRouterConfig({ file: { path: 'router.yaml', text: `headers: { request: [${rule}] }` } })
    } catch (error) {
      return error instanceof Error ? error.message : error
    }
    return null
  }

  it.each([
    ['{ propagate: a b }', /"headers\.request\.0\.propagate": expected the name of an HTTP header/],
    ['{ propagate_matching: x-tenant }', /0\.propagate_matching": expected .* with \* for any characters/],
    ['{ propagate_matching: "[a-z]+*" }', /0\.propagate_matching": expected/],
    ['{ propagate_matching: x-*, rename: y }', /unknown setting "headers\.request\.0\.rename"/],
    ['{ set: x-a }', /expected \{propagate: name, rename\?, default\?\}, .* or \{remove: name\}/],
    ['{ set: x-a, from: claims }', /expected /],
    ['{ set: x-a, value: b, from: feature_flag }', /expected \{propagate|unknown setting/],
    ['{ set: x-a, value: "a\\r\\nb" }', /0\.value": expected the value of an HTTP header/],
    ['{ remove: }', /expected \{propagate: name/],
    ['{ remove: a, set: b }', /unknown setting "headers\.request\.0\.set"/],
    ['x-a', /expected \{propagate: name/],
    ['{ set: host, value: a }', /0\.set": this header belongs to one connection or one body/],
    ['{ set: X-VENDOR-Token, value: a }', /is never forwarded: whoever has it gets traces/],
    ['{ propagate: X-VENDOR-Trace-As }', /is never forwarded: it is for the router alone/],
  ])('%s is refused', (rule, message) => {
    expect(problemOf(rule)).toMatch(message)
  })
})

describe('a rule that says a claim of whoever asks', () => {
  const claims = {
    sub: 'ann',
    age: 41.5,
    admin: false,
    roles: ['read', 'write'],
    names: ['Ann Lee', 'b'],
    team: { name: 'red', deep: { id: 7 } },
    'https://example.com/roles': ['x'],
    city: 'Köln',
    evil: 'a\r\nx-admin: 1',
    edge: ' a ',
    nothing: null,
    empty: '',
    long: 'a'.repeat(4097),
  }
  const sent = (rule: string, more: Partial<RuledRequest> = {}) =>
    sentBy(`{ set: X-User, ${rule} }`, { identity: { claims }, ...more })['x-user']

  it.each([
    ['from_claim: sub', 'ann'],
    ['from_claim: age', '41.5'],
    ['from_claim: admin', 'false'],
    ['from_claim: roles', 'read write'],
    ['from_claim: team.name', 'red'],
    ['from_claim: [team, deep, id]', '7'],
    ['from_claim: ["https://example.com/roles"]', 'x'],
    ['from_claim: team, format: json', '{"name":"red","deep":{"id":7}}'],
    ['from_claim: names, format: json', '["Ann Lee","b"]'],
    ['from_claim: city, format: json', '"K\\u00f6ln"'],
    ['from_claim: evil, format: json', '"a\\r\\nx-admin: 1"'],
    ['from_claim: nothing, format: json', 'null'],
    ['from_claim: missing, default: nobody', 'nobody'],
    ['from_claim: city, default: nowhere', 'nowhere'],
  ])('sends what {set: X-User, %s} names', (rule, value) => {
    expect(sent(rule)).toBe(value)
  })

  it.each([
    'missing',
    'team',
    'team.none',
    'sub.length',
    'names',
    'city',
    'evil',
    'edge',
    'nothing',
    'empty',
    'long',
    'toString',
    'constructor.name',
  ])('sends nothing for %s, which is no text that a header can hold', (claim) => {
    expect(sent(`from_claim: ${claim}`)).toBeUndefined()
  })

  it('sends nothing for those who have no token', () => {
    expect(sent('from_claim: sub', { identity: null })).toBeUndefined()
  })

  it.each([
    '{ propagate: X-User }',
    '{ propagate: X-Other, rename: x-user }',
    '{ propagate_matching: x-* }',
    '{ propagate: X-User, default: ann }',
  ])('never sends what a client says of itself, also with %s before or after it', (rule) => {
    const headers = { 'x-user': 'root', 'x-other': 'root' }
    const claim = '{ set: X-User, from_claim: sub }'
    for (const rules of [`${rule}, ${claim}`, `${claim}, ${rule}`]) {
      expect(sentBy(rules, { headers })['x-user']).toBeUndefined()
      expect(sentBy(rules, { headers, identity: { claims } })['x-user']).toBe('ann')
    }
  })

  it('takes back what an earlier rule has set where the claim is missing', () => {
    const rules = '{ set: x-user, value: router }, { set: X-User, from_claim: sub }'
    expect(sentBy(rules, {})).toEqual({})
  })
})

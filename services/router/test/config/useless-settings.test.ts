/** Settings that would have no effect are refused with what they lack. */
import { describe, expect, it } from 'vitest'
import { loadRouterConfig, RouterConfigError } from '../../src/config/router-config.ts'

function problemsOf(text: string): readonly string[] {
  try {
    loadRouterConfig({ file: { path: 'router.yaml', text } })
    return []
  } catch (error) {
    if (error instanceof RouterConfigError) return error.problems
    throw error
  }
}

const PROVIDER =
  'authentication: { jwt: { providers: [{ name: a, issuers: [a], audiences: any, jwks: [{ file: k.json }] }] } }'
const rule = (key: string) => `rate_limits: { rules: [{ name: a, limit: 1, per: 1s, key: [${key}] }] }`
const NAMELESS = 'client_identification: { name_headers: [] }'

describe('settings without effect', () => {
  it.each([
    [
      'rollouts: { visitor_cookie: true }',
      '"rollouts.visitor_cookie_key": visitors are recognised by cookies',
    ],
    [
      'progressive_override: { key: [visitor_cookie] }',
      '"progressive_override.key.0": the router assigns no cookies',
    ],
    ['subgraphs: { timeout: 1s, first_byte_timeout: 1s }', '"subgraphs.first_byte_timeout": expected less'],
    ['subgraphs: { timeout: 1s, idle_timeout: 2s }', '"subgraphs.idle_timeout": expected less'],
    [
      'subgraphs: { overrides: { a: { timeout: 1s, first_byte_timeout: 2s } } }',
      '"subgraphs.overrides.a.first_byte_timeout": expected less than the time limit of the whole call, which is 1000ms',
    ],
    [
      'subgraphs: { timeout: 1s, hedge: { enabled: true, after: 1s } }',
      '"subgraphs.hedge.after": calls end after 1000ms',
    ],
    [
      'subgraphs: { first_byte_timeout: 50ms, hedge: { enabled: true } }',
      '"subgraphs.hedge.after": calls end after 50ms',
    ],
    [
      'subgraphs: { overrides: { a: { timeout: 2s, hedge: { enabled: true, after: 3s } } } }',
      '"subgraphs.overrides.a.hedge.after": calls end after 2000ms',
    ],
    [
      'subgraphs: { health_check: { enabled: true }, overrides: { a: { urls: ["http://a/"] } } }',
      '"subgraphs.health_check.enabled": only subgraphs with several addresses',
    ],
    ['costs: { max: 100 }', '"costs.mode": it is off, so these limits limit nothing'],
    ['costs: { clients: { ios: { max: 1 } } }', '"costs.mode": it is off'],
    ['costs: { subgraphs: { books: { max: 1 } } }', '"costs.mode": it is off'],
    ['rate_limits: { redis: { url: "redis://a" } }', '"rate_limits.redis": there is nothing to count'],
    ['cors: { credentials: true }', '"cors.credentials": no page of another origin'],
    ['cors: { allow_headers: [x-shop] }', '"cors.allow_headers": no page of another origin'],
    ['subgraphs: { retry: { backoff: 2s } }', '"subgraphs.retry.backoff": expected at most max_backoff'],
    [
      'subgraphs: { overrides: { a: { retry: { max_backoff: 10ms } } } }',
      '"subgraphs.overrides.a.retry.backoff": expected at most max_backoff, which is 10ms',
    ],
    [
      'subgraphs: { overrides: { a: { max_waiting_calls: 5 } } }',
      '"subgraphs.overrides.a.max_waiting_calls": calls wait only',
    ],
    ['response: { default_max_age: 1s }', '"response.default_max_age": it is for answers whose'],
    [rule('{ claim: sub }'), '"rate_limits.rules.0.key": no tokens are accepted'],
    [`${rule('client')}\n${NAMELESS}`, '"rate_limits.rules.0.key": no headers tell who a client is'],
    [
      'client_identification: { name_headers: [], counted_names: [ios] }',
      '"client_identification.counted_names": no headers tell',
    ],
    [
      `costs: { mode: measure, clients: { ios: { max: 1 } } }\n${NAMELESS}`,
      '"costs.clients.ios": no headers tell',
    ],
    [
      `documents: { mode: allow, manifests: [{ file: a.json, clients: [ios] }] }\n${NAMELESS}`,
      '"documents.manifests.0.clients": no headers tell',
    ],
  ])('%s', (text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)])
  })

  it('are told of all sections at once, beside mistakes in others', () => {
    const text = 'cors: { credentials: true }\nlimits: { max_depth: deep }\ncosts: { max: 100 }'
    expect(problemsOf(text)).toEqual([
      expect.stringContaining('"cors.credentials"'),
      expect.stringContaining('"costs.mode"'),
      expect.stringContaining('"limits.max_depth"'),
    ])
  })

  it.each([
    'subgraphs: { timeout: 0s }',
    'subgraphs: { timeout: 1s, hedge: { enabled: false, after: 9s } }',
    'subgraphs: { first_byte_timeout: 9s, hedge: { enabled: true, after: 8s }, overrides: { a: { timeout: 2s } } }',
    'subgraphs: { hedge: { after: 9s }, overrides: { a: { timeout: 10s, hedge: { enabled: true } } } }',
    'subgraphs: { health_check: { enabled: true }, overrides: { a: { urls: ["http://a/", "http://b/"] } } }',
    'response: { cache_control: Computed, default_max_age: 1s }',
    'costs: { mode: measure, max: 100 }',
    rule('address').replace('{', '{ redis: { url: "redis://a" }, '),
    'cors: { origins: ["https://a.example"], credentials: true, allow_headers: [x-shop] }',
    'subgraphs: { overrides: { a: { retry: { backoff: 1s } } } }',
    'subgraphs: { max_calls: 3, overrides: { a: { max_waiting_calls: 5 } } }',
    'subgraphs: { overrides: { a: { max_rate: 3, max_waiting_calls: 5 } } }',
    `${rule('{ claim: sub }')}\n${PROVIDER}`,
    rule('client'),
  ])('are none of: %s', (text) => {
    expect(problemsOf(text)).toEqual([])
  })
})

/** What the section `authentication` may say. */
import { describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../src/config/router-config.ts'
import { settingsAsYaml } from '../../src/config/show-settings.ts'
import { effectiveSettings } from '../../src/config/effective-settings.ts'

const PROVIDER = { name: 'a', issuers: ['a'], jwks: [{ file: 'keys.json' }], audiences: ['shop'] }
const file = (authentication: unknown, more: object = {}) => ({
  path: '/etc/router/router.yaml',
  text: JSON.stringify({ authentication, ...more }),
})
const load = (...given: Parameters<typeof file>) => loadRouterConfig({ file: file(...given) }).authentication

it('nobody is asked who they are unless there is a provider', () => {
  expect(load({})).toBeNull()
  expect(loadRouterConfig().authentication).toBeNull()
})

it('paths of files count from the settings file', () => {
  expect(load({ jwt: { providers: [PROVIDER] } })?.providers[0]).toMatchObject({
    jwks: [{ kind: 'file', path: '/etc/router/keys.json' }],
    headers: [{ key: 'authorization', prefix: 'Bearer' }],
    requiredClaims: ['exp'],
  })
})

it('no algorithm without a signature, and none with secrets, is taken unless it is named', () => {
  const { algorithms = [] } = load({ jwt: { providers: [PROVIDER] } })?.providers[0] ?? {}
  expect(algorithms.filter((algorithm) => /^HS|none/i.test(algorithm))).toEqual([])
})

it('what is in effect is shown', () => {
  const env = {}
  const effective = effectiveSettings({
    env,
    file: file({ require: true, jwt: { providers: [PROVIDER] } }),
    defaultNetworks: ['public'],
  })
  expect(settingsAsYaml(effective)).toMatch(/require: true[^]*name: a[^]*allowed_networks: \[ public \]/)
})

it('cookies need the guard, also where a variable of the environment switches it off', () => {
  const cookies = file({ jwt: { providers: [{ ...PROVIDER, cookies: ['a'] }] } })
  expect(() => loadRouterConfig({ env: { CSRF_GUARD: 'never' }, file: cookies })).toThrow(/browsers add/)
  expect(() => loadRouterConfig({ env: { CSRF_GUARD: 'always' }, file: cookies })).not.toThrow()
})

describe('settings that are refused', () => {
  it.each<[string, unknown, RegExp, object?]>([
    ['a token that is required of nobody', { require: true }, /every request would be refused/],
    [
      'the algorithm none',
      { jwt: { providers: [{ ...PROVIDER, algorithms: ['none'] }] } },
      /expected one of RS256/,
    ],
    [
      'no audience',
      { jwt: { providers: [{ ...PROVIDER, audiences: undefined }] } },
      /expected a list of audiences, or any/,
    ],
    ['no keys', { jwt: { providers: [{ ...PROVIDER, jwks: [] }] } }, /expected at least one/],
    [
      'a password in a URL',
      { jwt: { providers: [{ ...PROVIDER, jwks: [{ url: 'https://a:b@c/' }] }] } },
      /without user and password|expected \{url\} or/,
    ],
    [
      'a file as a URL',
      { jwt: { providers: [{ ...PROVIDER, jwks: [{ url: 'file:///etc' }] }] } },
      /expected/,
    ],
    [
      'secrets beside public keys',
      { jwt: { providers: [{ ...PROVIDER, algorithms: ['HS256', 'RS256'] }] } },
      /cannot stand beside others/,
    ],
    [
      'secrets from a URL',
      { jwt: { providers: [{ ...PROVIDER, algorithms: ['HS256'], jwks: [{ url: 'https://a/' }] }] } },
      /are secrets: expected a file/,
    ],
    [
      'two providers of one name',
      { jwt: { providers: [PROVIDER, { ...PROVIDER, issuers: ['b'] }] } },
      /two providers "a"/,
    ],
    [
      'two providers of one issuer',
      { jwt: { providers: [PROVIDER, { ...PROVIDER, name: 'b' }] } },
      /is an issuer of "a" as well/,
    ],
    [
      'two providers of any issuer',
      {
        jwt: {
          providers: [
            { ...PROVIDER, issuers: [] },
            { ...PROVIDER, name: 'b', issuers: [] },
          ],
        },
      },
      /only one provider may/,
    ],
    [
      'tokens that are nowhere',
      { jwt: { providers: [{ ...PROVIDER, headers: [] }] } },
      /expected a header or a cookie/,
    ],
    [
      'the header of cookies',
      { jwt: { providers: [{ ...PROVIDER, headers: [{ name: 'Cookie' }] }] } },
      /named by cookies/,
    ],
    [
      'claims that nobody has',
      {},
      /no tokens are accepted/,
      { headers: { request: [{ set: 'a', from_claim: 'sub' }] } },
    ],
    [
      'claims that nobody has, for one subgraph',
      {},
      /no tokens are accepted/,
      { headers: { subgraphs: { a: { request: [{ set: 'a', from_claim: 'sub' }] } } } },
    ],
    [
      'claims that nobody has, for the subgraphs of previews',
      {},
      /no tokens are accepted/,
      { headers: { previews: { request: [{ set: 'a', from_claim: 'sub' }] } } },
    ],
    [
      'introspection for nobody',
      {},
      /no tokens are accepted/,
      { introspection: { enabled: 'authenticated' } },
    ],
    [
      'decisions about nobody',
      {},
      /subscriptions\.share_by": no tokens are accepted/,
      { subscriptions: { share_by: 'decision' } },
    ],
    [
      'a claim whose name is a URL in one text',
      { jwt: { providers: [PROVIDER] } },
      /a list of names/,
      { headers: { request: [{ set: 'a', from_claim: 'https://a.b/c' }] } },
    ],
    [
      'cookies without the guard',
      { jwt: { providers: [{ ...PROVIDER, cookies: ['a'] }] } },
      /browsers add cookies/,
      { csrf: { guard: 'never' } },
    ],
  ])('%s', (_, authentication, problem, more) => {
    expect(() => load(authentication, more)).toThrow(problem)
  })
})

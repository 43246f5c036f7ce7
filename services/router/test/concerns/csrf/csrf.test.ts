/**
 * Which GET requests pass the guard against forged ones, by everything that browsers send without a preflight
 * request.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RandomRun } from '@switchyard/testkit/random-run'
import { loadRouterConfig } from '../../../src/config/router-config.ts'
import { HttpError } from '../../../src/errors/http-error.ts'
import { checkCsrf } from '../../../src/concerns/csrf/check-csrf.ts'

type Headers = Readonly<Record<string, string>>

/** The message of the refusal; null: the request passes. */
function refusal(headers: Headers, settings = ''): string | null {
  const { csrf } = loadRouterConfig({ file: { path: 'router.yaml', text: settings } })
  return refusalBy(csrf, headers)
}

function refusalBy(csrf: Parameters<typeof checkCsrf>[1], headers: Headers): string | null {
  try {
    checkCsrf(headers, csrf)
    return null
  } catch (error) {
    if (error instanceof HttpError && error.code === 'CSRF_PREVENTED') return error.message
    throw error
  }
}

const COOKIE = { cookie: 'session=1' }
const DEFAULTS = loadRouterConfig().csrf

/**
 * What a page of another origin can make browsers send, header by header, without asking the router first.
 */
const FORGED: readonly (readonly [how: string, headers: Headers])[] = [
  [
    'fetch in the mode no-cors',
    {
      accept: '*/*',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-site': 'cross-site',
      referer: 'https://evil.example/',
    },
  ],
  [
    'fetch in the mode cors, with every header that needs no permission',
    {
      accept: 'application/json',
      'accept-language': 'en',
      'content-language': 'en',
      'content-type': 'text/plain;charset=UTF-8',
      range: 'bytes=0-',
      origin: 'https://evil.example',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
    },
  ],
  [
    'a form',
    {
      'upgrade-insecure-requests': '1',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-user': '?1',
      'cache-control': 'max-age=0',
    },
  ],
  ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }],
  ['an image', { accept: 'image/avif,image/webp,*/*', 'sec-fetch-dest': 'image', priority: 'i' }],
  ['a reload that avoids caches', { pragma: 'no-cache', 'cache-control': 'no-cache' }],
  ['a repeated request', { 'if-none-match': '"x"', 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ['a prefetched link', { purpose: 'prefetch', 'x-moz': 'prefetch', 'sec-purpose': 'prefetch;prerender' }],
  ['an event source', { accept: 'text/event-stream', 'last-event-id': '1', 'cache-control': 'no-cache' }],
  [
    'client hints',
    {
      'sec-ch-ua': '"Chromium";v="150"',
      'device-memory': '8',
      dpr: '2',
      'viewport-width': '1',
      'save-data': 'on',
    },
  ],
  [
    'privacy signals',
    { dnt: '1', 'sec-gpc': '1', 'user-agent': 'Mozilla/5.0', 'accept-encoding': 'gzip, br', te: 'trailers' },
  ],
  [
    'attribution reporting',
    { 'attribution-reporting-eligible': 'event-source', 'attribution-reporting-support': 'web' },
  ],
  ['a service worker', { 'service-worker': 'script', 'service-worker-navigation-preload': 'true' }],
  ['HTTP/2', { ':method': 'GET', ':path': '/graphql', ':authority': 'x', ':scheme': 'https' }],
  ["Android's WebView", { 'x-requested-with': 'com.example.browser' }],
  ['a shared dictionary', { 'available-dictionary': ':x:', 'dictionary-id': '"x"', 'alt-used': 'x.example' }],
]

/** What stands between a browser and the router adds. */
const ADDED: readonly Headers[] = [
  {
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'x',
    'x-real-ip': '192.0.2.1',
  },
  { via: '1.1 varnish', forwarded: 'for=192.0.2.1', 'x-varnish': '1' },
  { 'cf-ray': '1', 'cf-connecting-ip': '192.0.2.1', 'cdn-loop': 'cloudflare', 'true-client-ip': '192.0.2.1' },
  { 'x-amzn-trace-id': 'Root=1', 'x-amz-cf-id': 'x', 'cloudfront-viewer-country': 'DE' },
  { 'x-envoy-attempt-count': '1', 'x-request-id': 'x', 'x-b3-traceid': 'x', 'x-cloud-trace-context': 'x/1' },
  {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'x=1',
    baggage: 'x=1',
  },
  { 'x-azure-ref': 'x', 'x-arr-log-id': 'x', 'x-original-url': '/', 'x-appgw-trace-id': 'x' },
]

describe('a GET request that a page of another origin causes', () => {
  it.each(FORGED)('by %s is refused if it has a cookie, whatever proxies add', (_how, headers) => {
    expect(refusal({ ...COOKIE, ...headers })).toMatch(/a Cookie header/)
    for (const added of ADDED) expect(refusal({ ...COOKIE, ...headers, ...added })).not.toBeNull()
  })

  it.each(FORGED)('by %s is answered without credentials, as anybody could send it', (_how, headers) => {
    expect(refusal(headers)).toBeNull()
  })

  it.each(['Basic YTpi', 'basic YTpi', 'Digest username="a"', 'Negotiate YII=', 'NTLM TlRM'])(
    'is refused with the credentials of HTTP authentication that browsers remember: %s',
    (authorization) => {
      expect(refusal({ authorization })).toMatch(/the credentials of HTTP authentication/)
      expect(refusal({ ...COOKIE, authorization })).not.toBeNull()
      expect(
        refusal({ ...COOKIE, authorization }, 'csrf: { accepted_headers: [authorization] }'),
      ).not.toBeNull()
    },
  )

  it.each(['x-forwarded-user', 'x-goog-iap-jwt-assertion', 'client-cert'])(
    'is refused with the identity that a proxy found out: %s',
    (name) => {
      expect(refusal({ [name]: 'x' })).toContain(`the header ${name}`)
    },
  )
})

describe('a GET request with a cookie', () => {
  it.each([
    ['Apollo-Require-Preflight', { 'apollo-require-preflight': 'true' }],
    ['X-Apollo-Operation-Name', { 'x-apollo-operation-name': 'Products' }],
    ['GraphQL-Require-Preflight', { 'graphql-require-preflight': '1' }],
    ['X-Requested-With of a library', { 'x-requested-with': 'XMLHttpRequest' }],
    ['a content type of JSON', { 'content-type': 'application/json' }],
  ])('passes with %s, also behind proxies', (_what, headers: Headers) => {
    expect(refusal({ ...COOKIE, ...headers })).toBeNull()
    for (const added of ADDED) expect(refusal({ ...COOKIE, ...headers, ...added })).toBeNull()
  })

  it.each([
    ['a bearer token', { authorization: 'Bearer x' }],
    ['a header of the application', { 'x-shop-client': 'web' }],
    ['the header that asks for a flag', { 'x-feature-flag': 'next' }],
  ])(
    'passes with %s only where the settings accept any header, and not behind a proxy',
    (_what, headers: Headers) => {
      expect(refusal({ ...COOKIE, ...headers })).not.toBeNull()
      const settings = 'csrf: { accepted_headers: any }'
      expect(refusal({ ...COOKIE, ...headers }, settings)).toBeNull()
      expect(refusal({ ...COOKIE, ...headers, 'x-forwarded-for': '192.0.2.1' }, settings)).not.toBeNull()
    },
  )

  it.each([
    ['a number of the customer', { 'x-uidh': 'MTI3' }],
    ['an id of the device', { 'x-att-deviceid': 'GT-I9000' }],
    ['a phone number', { 'x-msisdn': '491700000000', 'x-up-calling-line-id': '491700000000' }],
    ['what a filter in a company adds', { 'x-authenticated-user': 'ann', 'x-some-gateway-2': '1' }],
  ])(
    'is refused with %s, which carriers and proxies add to requests of all pages',
    (_what, headers: Headers) => {
      expect(refusal({ ...COOKIE, ...headers })).toMatch(/a Cookie header/)
    },
  )

  it('is told by the refusal what to send', () => {
    expect(refusal(COOKIE)).toBe(
      'This GET request carries a Cookie header, which browsers add to requests by themselves, and could have been ' +
        'caused by any web page. Send the header Apollo-Require-Preflight: true (X-Apollo-Operation-Name, ' +
        'X-Requested-With and GraphQL-Require-Preflight serve as well) or Content-Type: application/json, or send ' +
        'the operation by POST.',
    )
  })
})

describe('settings of the guard', () => {
  it('name the headers that count: these do behind a proxy too, and no others', () => {
    const settings = 'csrf: { accepted_headers: [X-Shop-Client] }'
    const proxied = { ...COOKIE, 'x-forwarded-for': '192.0.2.1' }
    expect(refusal({ ...proxied, 'x-shop-client': 'web' }, settings)).toBeNull()
    expect(refusal({ ...proxied, 'x-shop-client': '' }, settings)).not.toBeNull()
    expect(refusal({ ...COOKIE, 'x-other': '1' }, settings)).not.toBeNull()
    expect(refusal({ ...COOKIE, 'apollo-require-preflight': '1' }, settings)).toBeNull()
  })

  it('name further signs of credentials', () => {
    const settings = 'csrf: { credential_headers: [X-Forwarded-Client-Cert] }'
    expect(refusal({ 'x-forwarded-client-cert': 'Hash=1' }, settings)).toContain('x-forwarded-client-cert')
    expect(refusal({ 'x-forwarded-client-cert': 'Hash=1' })).toBeNull()
  })

  it('guard every GET request, or none', () => {
    expect(refusal({}, 'csrf: { guard: always }')).toMatch(
      /^This GET request could have been caused by any web page/,
    )
    expect(refusal({ 'apollo-require-preflight': '1' }, 'csrf: { guard: always }')).toBeNull()
    expect(refusal(COOKIE, 'csrf: { guard: never }')).toBeNull()
  })

  it('refuse to count a header that browsers or proxies add', () => {
    for (const name of ['Sec-Fetch-Site', 'accept', 'Cookie', 'x-forwarded-for'])
      expect(() => refusal({}, `csrf: { accepted_headers: [${name}] }`)).toThrow(
        new RegExp(`router.yaml:1: "csrf.accepted_headers.0": .* add the header ${name} by themselves`),
      )
    expect(() => refusal({}, 'csrf: { guard: sometimes }')).toThrow(
      /expected one of credentials, always, never/,
    )
  })

  it('take the guard from CSRF_GUARD, which wins', () => {
    const file = { path: 'router.yaml', text: 'csrf: { guard: always }' }
    expect(loadRouterConfig({ file }).csrf.guard).toBe('always')
    expect(loadRouterConfig({ file, env: { CSRF_GUARD: 'never' } }).csrf.guard).toBe('never')
    expect(() => loadRouterConfig({ env: { CSRF_GUARD: 'off' } })).toThrow(
      /CSRF_GUARD is "off": expected one of/,
    )
  })
})

/** `SEED=… RUNS=… vitest run services/router/test/concerns/csrf/csrf.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 2000)

describe('any mixture', () => {
  const entries = (sets: readonly Headers[]) => sets.flatMap((headers) => Object.entries(headers))
  const value = fc.string({ minLength: 1, maxLength: 20 })
  /**
   * Names that a browser keeps for itself (https://fetch.spec.whatwg.org/#forbidden-request-header) grow
   * under these.
   */
  const suffixed = fc
    .tuple(
      fc.constantFrom('sec-', 'proxy-', 'if-', 'accept-', 'access-control-'),
      fc.stringMatching(/^[a-z-]{1,12}$/),
      value,
    )
    .map(([prefix, rest, text]): [string, string] => [prefix + rest, text])
  const unforced = fc.oneof(
    fc.constantFrom(...entries([...FORGED.map(([, headers]) => headers), ...ADDED])),
    suffixed,
  )
  const unknown = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9-]{0,15}$/), value)
  const GUARDS = new Set([
    'apollo-require-preflight',
    'x-apollo-operation-name',
    'x-requested-with',
    'graphql-require-preflight',
  ])

  it('of headers that need no preflight request is refused with a cookie', {
    timeout: RUN.timeout(20_000),
  }, () => {
    fc.assert(
      fc.property(fc.array(unforced), (headers) => {
        expect(refusalBy(DEFAULTS, { ...Object.fromEntries(headers), ...COOKIE })).not.toBeNull()
      }),
      RUN.parameters,
    )
  })

  it('of headers that no list names is refused with a cookie, behind a proxy or not', {
    timeout: RUN.timeout(20_000),
  }, () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(unforced, unknown)),
        fc.constantFrom({}, ...ADDED.slice(0, 4)),
        (headers, added) => {
          const harmless = headers.filter(([name]) => !GUARDS.has(name) && name !== 'content-type')
          expect(refusalBy(DEFAULTS, { ...Object.fromEntries(harmless), ...COOKIE, ...added })).not.toBeNull()
        },
      ),
      RUN.parameters,
    )
  })
})

/**
 * Every route with every kind of key. The routes come from the OpenAPI document, their scopes from the table
 * of PROTOCOL.md: a route that is missing in one of them fails here.
 */
import { readFileSync } from 'node:fs'
import { CreatedApiKey, CSRF_HEADER, SessionView } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SessionKeys } from '../../src/sessions/session-keys.ts'
import {
  type Client,
  openStorage,
  problemOf,
  type Reply,
  SDL,
  type Storage,
  startClient,
} from '../harness.ts'

type Route = { readonly method: string; readonly path: string }
type Scope =
  | 'public'
  | 'session'
  | 'any'
  | 'read'
  | 'publish'
  | 'deploy'
  | 'rollout'
  | 'abort'
  | 'preview'
  | 'trace'
  | 'admin'
  | 'none'

const protocol = readFileSync(new URL('../../../../shared/contracts/PROTOCOL.md', import.meta.url), 'utf8')

/** `GET /v1/graphs/{}` → scope. Several routes may stand in one cell, a later one as the end of its path. */
const scopes = new Map<string, Scope>()
for (const row of protocol.split('\n').filter((line) => /^\| `(?:GET|POST|PUT|PATCH|DELETE) \//.test(line))) {
  const [, cell = '', , scope = ''] = row.split(/ ?\| /)
  const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
  const all = [
    first,
    ...others.map((text) => (text.startsWith('…') ? first.replace(/\/[a-z]+$/, text.slice(1)) : text)),
  ]
  for (const route of all) {
    scopes.set(route.replace(/\?.*$/, '').replaceAll(/\{\w+\}/g, '{}'), /^\w+/.exec(scope)?.[0] as Scope)
  }
}

/** What each write is sent: well formed, and about things that do not exist. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v1/namespaces': { name: 'default' },
  'PATCH /v1/namespaces/{}': { previewHosts: [] },
  'DELETE /v1/namespaces/{}': {},
  'POST /v1/namespaces/{}/apply': { subgraphs: [{ name: 'nothing', sdl: SDL }] },
  'POST /v1/graphs/{}': { name: 'graph' },
  'PATCH /v1/graphs/{}/{}': { labelMatchers: [] },
  'DELETE /v1/graphs/{}/{}': {},
  'PUT /v1/graphs/{}/{}/pin': { revision: 1 },
  'DELETE /v1/graphs/{}/{}/pin': {},
  'POST /v1/graphs/{}/{}/republish': {},
  'PUT /v1/graphs/{}/{}/documents/{}': { manifest: '{}' },
  'DELETE /v1/graphs/{}/{}/documents/{}': {},
  'POST /v1/subgraphs/{}': { name: 'subgraph', routingUrl: 'http://localhost:4101/graphql' },
  'PATCH /v1/subgraphs/{}/{}': { labels: [] },
  'DELETE /v1/subgraphs/{}/{}': {},
  'PUT /v1/subgraphs/{}/{}/schema': { sdl: SDL },
  'POST /v1/feature-subgraphs/{}': {
    name: 'feature',
    routingUrl: 'http://localhost:4101/graphql',
    subgraph: 'nothing',
  },
  'POST /v1/feature-flags/{}': { name: 'flag', featureSubgraphs: ['nothing'] },
  'PATCH /v1/feature-flags/{}/{}': { labels: [] },
  'DELETE /v1/feature-flags/{}/{}': {},
  'POST /v1/feature-flags/{}/{}/enable': {},
  'POST /v1/feature-flags/{}/{}/disable': {},
  'POST /v1/feature-flags/{}/{}/promote': {},
  'DELETE /v1/feature-flags/{}/{}/promote': {},
  'POST /v1/rollouts/{}': { name: 'rollout', graph: 'nothing', flag: 'nothing' },
  'PATCH /v1/rollouts/{}/{}': { percent: 5 },
  'DELETE /v1/rollouts/{}/{}': {},
  'POST /v1/rollouts/{}/{}/abort': {},
  'POST /v1/rollouts/{}/{}/ramp': { steps: [5], everyMs: 60_000 },
  'POST /v1/rollouts/{}/{}/pause': {},
  'POST /v1/rollouts/{}/{}/advance': {},
  'POST /v1/rollouts/{}/{}/end-ramp': {},
  'POST /v1/rollouts/{}/{}/resume': {},
  'POST /v1/rollouts/{}/{}/complete': {},
  'POST /v1/previews/{}': {
    name: 'preview',
    subgraphs: [{ subgraph: 'nothing', routingUrl: 'http://localhost:4101/graphql', sdl: SDL }],
  },
  'PATCH /v1/previews/{}/{}': { ttlSeconds: 60 },
  'DELETE /v1/previews/{}/{}': {},
  'POST /v1/api-keys': { name: 'ci', scopes: ['read'] },
  'DELETE /v1/api-keys/{}': {},
  'POST /v1/trace-keys': {},
  'DELETE /v1/trace-keys/{}': {},
  'POST /v1/graphs/{}/{}/trace-tokens': {},
  'POST /v1/checks/{}/{}': { schema: SDL },
  'POST /v1/import': null,
}

/** What reads need besides their path. */
const QUERIES: Readonly<Record<string, string>> = {
  'GET /v1/graphs/{}/{}/search': '?q=product',
  'GET /v1/graphs/{}/{}/difference': '?from=base&to=flag:nothing',
}

/** The routes that answer each key with what it may read: only one that may read nothing is refused. */
const ANSWER_EVERY_READER = ['GET /v1/log', 'GET /v1/live']

/** What each key may do; `publish`, `deploy` and `trace` in the namespace `default`. */
const KEYS: Readonly<
  Record<
    string,
    { readonly scopes: readonly string[]; readonly allows: (scope: Scope, isNamespaced: boolean) => boolean }
  >
> = {
  reader: { scopes: ['read'], allows: (scope) => scope === 'read' },
  publisher: {
    scopes: ['publish:default'],
    allows: (scope, isNamespaced) => isNamespaced && (scope === 'read' || scope === 'publish'),
  },
  deployer: {
    scopes: ['deploy:default'],
    allows: (scope, isNamespaced) => isNamespaced && scope !== 'admin' && scope !== 'trace',
  },
  releaser: {
    scopes: ['rollout:default'],
    allows: (scope, isNamespaced) =>
      isNamespaced && (scope === 'read' || scope === 'rollout' || scope === 'abort'),
  },
  onCall: {
    scopes: ['abort:default'],
    allows: (scope, isNamespaced) => isNamespaced && (scope === 'read' || scope === 'abort'),
  },
  previewer: {
    scopes: ['preview:default'],
    allows: (scope, isNamespaced) => isNamespaced && (scope === 'read' || scope === 'preview'),
  },
  tracer: { scopes: ['trace:default'], allows: (scope) => scope === 'trace' },
  stranger: { scopes: ['publish:other', 'deploy:other', 'trace:other'], allows: () => false },
  neighbour: {
    scopes: ['deploy:defaul', 'deploy:default2', 'publish:d', 'trace:defaul'],
    allows: () => false,
  },
  admin: { scopes: ['admin'], allows: () => true },
}

let storage: Storage
let client: Client
let described: readonly Route[]
/** Those that ask for a key: the others have tests of their own. */
let routes: readonly Route[]
const keys = new Map<string, string>()
let deletedKey = ''

beforeAll(async () => {
  storage = await openStorage()
  // A minute passes between any two looks at the clock: wrong keys are never too many.
  let minutes = 0
  const sessions = { keys: new SessionKeys(['s'.repeat(32)]) }
  client = await startClient(storage, { sessions, monotonicNow: () => 60_000 * (minutes += 1) })
  for (const [name, { scopes: own }] of Object.entries({ ...KEYS, deleted: { scopes: ['admin'] } })) {
    const reply = await client.post('/v1/api-keys', { name, scopes: own })
    const { id, key } = CreatedApiKey.parse(reply.body)
    keys.set(name, key)
    if (name !== 'deleted') continue
    deletedKey = key
    await client.delete(`/v1/api-keys/${id}`)
  }
  const { body } = await client.get('/v1/openapi.json')
  const { paths } = body as { paths: Record<string, Record<string, unknown>> }
  described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
  routes = described.filter(
    (route) => !['public', 'session', 'any'].includes(scopes.get(nameOf(route)) ?? ''),
  )
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await storage[Symbol.asyncDispose]()
})

function nameOf({ method, path }: Route): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}

function isNamespaced(route: Route): boolean {
  return route.path.includes('{namespace}') || nameOf(route) === 'POST /v1/namespaces'
}

/** Everything that a write needs, except the key. */
async function send(
  route: Route,
  authorization: string | null,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const path = route.path
    .replace('{namespace}', 'default')
    .replace('{hash}', 'a'.repeat(64))
    .replaceAll(/\{\w+\}/g, 'nothing')
  const isWrite = route.method !== 'GET'
  const body = BODIES[nameOf(route)]
  if (isWrite && body === undefined) throw new Error(`${nameOf(route)} has no body in this test`)
  const type = body === null ? 'application/x-ndjson' : 'application/json'
  const isCommand = isWrite && !/-keys|trace-tokens|import/.test(path)
  const query = QUERIES[nameOf(route)] ?? (isCommand ? '?wait=0' : '')
  const response = await fetch(`${client.registry.url}${path}${query}`, {
    method: route.method,
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(isWrite ? { 'content-type': type } : {}),
      ...headers,
    },
    ...(isWrite ? { body: body === null ? '{}' : JSON.stringify(body) } : {}),
  })
  const text = await textOf(response)
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  const parsed: unknown = isJson ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body: parsed }
}

/** Returns the body of an answer. A stream of events, which has no end, is left at once. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}

/** Signs in, and returns the headers of requests from a page of the registry. */
async function sessionOf(apiKey: string): Promise<Record<string, string>> {
  const site = { 'sec-fetch-site': 'same-origin' }
  const reply = await client.post('/v1/session', { apiKey }, site)
  const cookie = reply.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  return { ...site, cookie, [CSRF_HEADER]: SessionView.parse(reply.body).csrf }
}

describe('routes', () => {
  it('are those of the protocol, each with a scope', () => {
    const open = ['/v1/openapi.json', '/health/live', '/health/ready', '/studio', '/studio/…'].map(
      (path) => `GET ${path}`,
    )
    for (const route of open) expect(scopes.get(route), route).toBe('none')
    expect([...scopes.keys()].filter((route) => !open.includes(route)).toSorted()).toEqual(
      described.map(nameOf).toSorted(),
    )
    expect(routes.length).toBeGreaterThan(30)
    for (const [route, scope] of scopes)
      expect(scope, route).toMatch(
        /^(?:read|publish|deploy|rollout|abort|preview|trace|admin|none|public|session|any)$/,
      )
  })

  it.each(Object.keys(KEYS).flatMap((kind) => [[kind, 'key'] as const, [kind, 'session'] as const]))(
    'let the %s do what its scopes say by its %s, and answer 403 to the rest',
    async (kind, way) => {
      const { allows } = KEYS[kind] ?? { allows: () => false }
      const session = way === 'key' ? {} : await sessionOf(keys.get(kind) ?? '')
      // What an administrator does here would change what comes after it.
      const ordered =
        kind === 'admin' ? routes.toSorted((one, other) => (one.path < other.path ? -1 : 1)) : routes
      for (const route of ordered) {
        const reply =
          way === 'key' ? await send(route, `Bearer ${keys.get(kind)}`) : await send(route, null, session)
        const scope = scopes.get(nameOf(route)) ?? 'none'
        const what = `${nameOf(route)}: ${JSON.stringify(reply.body)?.slice(0, 300)}`
        const isReader = kind !== 'tracer' && ANSWER_EVERY_READER.includes(nameOf(route))
        if (isReader || allows(scope, isNamespaced(route))) {
          expect([401, 403, 415, 429, 500], what).not.toContain(reply.status)
          expect(reply.body, what).not.toMatchObject({ code: 'INVALID_REQUEST' })
        } else {
          expect([reply.status, problemOf(reply).code], what).toEqual([403, 'FORBIDDEN'])
          expect(problemOf(reply).detail).toMatch(
            /the scope "(?:read|admin|(?:publish|deploy|rollout|abort|preview|trace):default)"/,
          )
        }
      }
    },
  )

  it('answer 401 without a key that is known, whatever is asked', async () => {
    const wrong = [
      null,
      'Bearer',
      'Bearer ',
      'Basic Ym9vdHN0cmFwOg==',
      'Bearer bootstrap-key-of-the-test',
      `Bearer ${'0'.repeat(64)}`,
      `Bearer ${deletedKey}`,
      `bearer ${keys.get('admin')?.toUpperCase()}`,
      `Bearer ${keys.get('admin')} ${keys.get('admin')}`,
      `Bearer ${keys.get('reader')?.slice(0, 21)}${keys.get('admin')?.slice(21)}`,
    ]
    for (const authorization of wrong) {
      for (const route of routes) {
        const reply = await send(route, authorization)
        expect([reply.status, problemOf(reply).code], nameOf(route)).toEqual([401, 'UNAUTHENTICATED'])
        expect(reply.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
  })

  it('ask for the same key when only their head is wanted', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const path = route.path.replace('{namespace}', 'default').replaceAll(/\{\w+\}/g, 'nothing')
      const head = async (key: string) => {
        const headers = { authorization: `Bearer ${key}` }
        return (await fetch(`${client.registry.url}${path}`, { method: 'HEAD', headers })).status
      }
      const isStream = route.path === '/v1/export' || route.path === '/v1/live'
      expect(await head(deletedKey), path).toBe(isStream ? 405 : 401)
      const refused = ANSWER_EVERY_READER.includes(nameOf(route)) ? 'tracer' : 'stranger'
      expect(await head(keys.get(refused) ?? ''), path).toBe(isStream ? 405 : 403)
    }
  })

  it('tell health and the document to everybody', async () => {
    for (const path of ['/v1/openapi.json', '/health/live', '/health/ready']) {
      const reply = await fetch(`${client.registry.url}${path}`)
      await reply.text()
      expect(reply.status).toBe(200)
    }
  })

  it('tell a deployer who asks for a trace token what is missing, and how to get it', async () => {
    const reply = await send(
      { method: 'POST', path: '/v1/graphs/{namespace}/{name}/trace-tokens' },
      `Bearer ${keys.get('deployer')}`,
    )
    expect(problemOf(reply).detail).toBe(
      'This API key may not do that; the scope "trace:default" or "admin" is needed. "deploy:default" does not include it. ' +
        'An administrator makes a key that has it: switchyard api-key create <name> --scope trace:default',
    )
  })

  it('let a publisher publish to what exists, and create nothing', async () => {
    const authorization = `Bearer ${keys.get('publisher')}`
    await client.post('/v1/subgraphs/default?wait=0', {
      name: 'mine',
      routingUrl: 'http://localhost:4101/graphql',
    })
    const publish = (name: string, body: object) =>
      client.put(`/v1/subgraphs/default/${name}/schema?wait=0`, body, { authorization })
    expect((await publish('mine', { sdl: SDL })).status).toBe(200)
    const creating = { sdl: SDL, routingUrl: 'http://localhost:4102/graphql' }
    for (const body of [creating, { ...creating, subgraph: 'mine' }]) {
      expect(problemOf(await publish('fresh', body))).toMatchObject({
        status: 403,
        detail: expect.stringContaining('deploy:default'),
      })
    }
    expect(JSON.stringify((await client.get('/v1/subgraphs/default')).body)).not.toContain('fresh')
  })
})

describe('a page in somebody’s browser', () => {
  /**
   * What a page on another origin can send without being asked for permission
   * (https://fetch.spec.whatwg.org/#cors-safelisted-request-header).
   */
  const SIMPLE = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    '',
  ]

  it('causes no write with a request that needs no permission, even if it had the key', async () => {
    const before = await storage.log.last({ kind: 'log', log: 'registry' })
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      for (const type of SIMPLE) {
        const reply = await send(route, `Bearer ${keys.get('admin')}`, {
          'content-type': type,
          origin: 'https://evil.example',
        })
        expect([reply.status, problemOf(reply).code], `${nameOf(route)} ${type}`).toEqual([
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        ])
      }
    }
    expect(await storage.log.last({ kind: 'log', log: 'registry' })).toEqual(before)
  })

  it('is given permission for nothing, and reads no answer', async () => {
    for (const route of routes) {
      const path = route.path.replace('{namespace}', 'default').replaceAll(/\{\w+\}/g, 'nothing')
      const preflight = await fetch(`${client.registry.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': route.method,
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      expect(preflight.ok, nameOf(route)).toBe(false)
      const asked = await fetch(`${client.registry.url}${path}`, {
        headers: { origin: 'https://evil.example', authorization: `Bearer ${keys.get('admin')}` },
      })
      for (const reply of [preflight, asked]) {
        await textOf(reply)
        expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    }
  })
})

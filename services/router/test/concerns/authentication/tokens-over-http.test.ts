/** What a router that takes tokens answers to those who bring one, a bad one, or none. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { traceIn, TRACED } from '../../tracing/recorder/traced.ts'
import { post, send, type TestRouter } from '../../support/router.ts'
import { startShopRouter } from '../../support/shop-router.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'
import {
  type KeyServer,
  newSigningKey,
  sign,
  type SigningKey,
  startKeyServer,
} from '../../support/token-issuer.ts'
import { settingsOf } from './opened.ts'

const stack = new AsyncDisposableStack()
let key: SigningKey
let server: KeyServer
let open: TestRouter
let closed: TestRouter
let asked: TestRouter

const started = async (settings: object): Promise<TestRouter> =>
  stack.use(await startShopRouter({ settings: JSON.stringify(settings) })).router

beforeAll(async () => {
  key = await newSigningKey('one')
  server = stack.use(await startKeyServer(key.publicJwk))
  const provider = {
    jwks: [{ url: server.url }],
    headers: [{ name: 'Authorization' }, { name: 'X-Session-Jwt', prefix: '' }],
    cookies: ['session'],
  }
  open = await started({
    ...settingsOf(provider),
    dev_mode: true,
    cors: { origins: ['https://app.example'] },
    response: { cache_control: 'public, max-age=60' },
    tracing: { allowed_headers: ['*'], sensitive_names: [] },
    headers: { request: [{ propagate: 'X-Session-Jwt', rename: 'X-Handed-On' }] },
  })
  closed = await started({
    ...settingsOf(provider, {}, true),
    headers: { request: [{ propagate_matching: '*' }, { set: 'X-User', from_claim: 'sub' }] },
  })
  asked = await started({ ...settingsOf(provider), introspection: { enabled: 'authenticated' } })
})
afterAll(() => stack.disposeAsync())

const VERSION = { query: '{ version }' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const codeOf = ({ json }: Awaited<ReturnType<typeof post>>) => json.errors?.[0]?.extensions['code']

describe('a router that requires tokens', () => {
  it('answers those who have one', async () => {
    const reply = await post(closed, VERSION, bearer(await sign(key)))
    expect([reply.status, reply.json.data]).toEqual([200, { version: 'products' }])
  })

  it('refuses those who have none, and says what it expects', async () => {
    const reply = await post(closed, VERSION)
    expect([reply.status, codeOf(reply)]).toEqual([401, 'AUTHENTICATION_REQUIRED'])
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="graphql"')
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('says of a bad one what is wrong, without repeating it', async () => {
    const token = await sign(key, { aud: 'else' })
    const reply = await post(closed, VERSION, bearer(token))
    expect([reply.status, codeOf(reply)]).toEqual([401, 'TOKEN_INVALID'])
    expect(reply.headers['www-authenticate']).toBe(
      'Bearer error="invalid_token", error_description="It is not meant for this graph (aud)"',
    )
    expect(JSON.stringify(reply)).not.toContain(token.slice(0, 20))
  })

  it('answers health checks and preflight requests without any', async () => {
    expect((await send(`${closed.url}/health/ready`)).status).toBe(200)
    expect((await send(open.graphqlUrl, { method: 'OPTIONS' })).status).toBe(204)
  })

  it('refuses before the body has come, and reads no body first', async () => {
    const socket = connect(closed.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    )
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    expect(chunk.toString()).toMatch(/^HTTP\/1.1 401 /)
    socket.destroy()
  })
})

describe('a router that takes tokens', () => {
  it('answers those who have none, and refuses bad ones', async () => {
    expect((await post(open, VERSION)).status).toBe(200)
    expect((await post(open, VERSION, { authorization: 'Basic YTpi' })).status).toBe(200)
    expect(codeOf(await post(open, VERSION, bearer('x')))).toBe('TOKEN_INVALID')
    expect(codeOf(await post(open, VERSION, { cookie: 'session=x' }))).toBe('TOKEN_INVALID')
  })

  it('logs whose token it was, and nothing of the token', async () => {
    const [good, bad] = await Promise.all([sign(key), sign(key, { iss: 'x' })])
    await post(open, VERSION, bearer(good))
    await post(open, VERSION, { ...bearer(bad), 'x-session-jwt': good })
    const lines = open.logs.filter(({ event }) => event === 'request.answered').slice(-2)
    expect(lines[0]).toMatchObject({ status: 200, tokenProvider: 'shop' })
    expect(lines[1]).toMatchObject({ status: 401, code: 'TOKEN_INVALID' })
    for (const token of [good, bad])
      for (const part of token.split('.')) expect(JSON.stringify(open.logs)).not.toContain(part)
  })

  it('shows tokens in no trace, whatever headers traces may show', async () => {
    const [one, two] = await Promise.all([sign(key), sign(key, { sub: 'ben' })])
    const headers = {
      ...bearer(one),
      'x-session-jwt': two,
      cookie: `session=${one}`,
      ...TRACED,
      'x-other': 'shown',
    }
    const reply = await post(open, { query: '{ topProducts { name } }' }, headers)
    const shown = JSON.stringify(traceIn(reply))
    expect(shown).toContain('shown')
    expect(shown.toLowerCase()).toContain('x-handed-on')
    for (const token of [one, two]) expect(shown).not.toContain(token)
  })

  it('lets pages of other origins send them', async () => {
    const reply = await send(open.graphqlUrl, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    })
    const allowed = String(reply.headers['access-control-allow-headers']).toLowerCase().split(', ')
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'x-session-jwt']))
  })

  it('keeps answers to them out of caches that users share', async () => {
    const without = await post(open, VERSION)
    expect(without.headers['cache-control']).toBe('public, max-age=60')
    expect(String(without.headers.vary).split(', ')).toEqual(
      expect.arrayContaining(['Authorization', 'X-Session-Jwt', 'Cookie']),
    )
    const carried = await post(open, VERSION, bearer(await sign(key)))
    expect(carried.headers['cache-control']).toBe('private, max-age=60')
  })

  it('takes cookies only from requests that no foreign page can cause', async () => {
    const cookie = `session=${await sign(key)}`
    const query = encodeURIComponent('{ version }')
    const get = (headers: Record<string, string>) => send(`${open.graphqlUrl}?query=${query}`, { headers })
    expect(codeOf(await get({ cookie }))).toBe('CSRF_PREVENTED')
    expect((await get({ cookie, 'apollo-require-preflight': '1' })).status).toBe(200)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      const reply = await send(open.graphqlUrl, {
        method: 'POST',
        headers: { cookie, ...(type === '' ? {} : { 'content-type': type }) },
        body: JSON.stringify(VERSION),
      })
      expect(codeOf(reply)).toBe('UNSUPPORTED_MEDIA_TYPE')
    }
    expect((await post(open, VERSION, { cookie })).status).toBe(200)
  })

  it('shares no execution among tokens', async () => {
    const query = { query: '{ slow(milliseconds: 300) }' }
    const [ann, ben] = await Promise.all([sign(key), sign(key, { sub: 'ben' })])
    await Promise.all([ann, ben, ann].map((token) => post(open, VERSION, bearer(token))))
    const from = open.logs.length
    await Promise.all([ann, ben, ann].map((token) => post(open, query, bearer(token))))
    const joined = open.logs.slice(from).filter((line) => line['joined'] === true)
    expect(joined).toHaveLength(1)
  })
})

it('subgraphs are told a claim of whoever asks, and nothing that clients say in its place', async () => {
  const who = { query: '{ who: header(name: "x-user") }' }
  const reply = await post(closed, who, { ...bearer(await sign(key)), 'x-user': 'root' })
  expect(reply.json.data).toEqual({ who: 'ann' })
  const nobody = await sign(key, { sub: undefined })
  expect((await post(closed, who, { ...bearer(nobody), 'x-user': 'root' })).json.data).toEqual({ who: null })
})

it('introspection may be for those who have a token alone', async () => {
  const schema = { query: '{ __schema { queryType { name } } version }' }
  const refused = await post(asked, schema)
  expect([refused.status, codeOf(refused)]).toEqual([401, 'AUTHENTICATION_REQUIRED'])
  expect(refused.headers['www-authenticate']).toBe('Bearer realm="graphql"')
  expect((await post(asked, VERSION)).status).toBe(200)
  const answered = await post(asked, schema, bearer(await sign(key)))
  expect(answered.json.data).toMatchObject({ __schema: { queryType: { name: 'Query' } } })
  const misspelled = { query: '{ versio }' }
  const messageTo = async (headers: Record<string, string>) =>
    (await post(asked, misspelled, headers)).json.errors?.[0]?.message
  expect(await messageTo({})).toBe('Cannot query field "versio" on type "Query".')
  expect(await messageTo(bearer(await sign(key)))).toContain('Did you mean "version"?')
})

it('a router starts without its keys, and answers 503 to those who have tokens', async () => {
  const away = createServer()
  const port = await listenOnFreePort(away)
  await closeServer(away)
  const router = await started(settingsOf({ jwks: [{ url: `http://127.0.0.1:${port}/` }] }))
  const reply = await post(router, VERSION, bearer(await sign(key)))
  expect([reply.status, codeOf(reply), reply.headers['retry-after']]).toEqual([
    503,
    'AUTHENTICATION_UNAVAILABLE',
    '1',
  ])
  expect((await post(router, VERSION)).status).toBe(200)
  expect(router.logs.some(({ event }) => event === 'authentication.keys-missing')).toBe(true)
})

/** Requests of OFREP that are refused, and what a stranger learns from that. */
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { startGuardedShop } from '../../support/guarded-shop.ts'
import { issueTokens } from '../../support/issued-tokens.ts'
import { rollout } from '../../support/rollouts.ts'
import { post, type Reply, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { ANN, ask, FLAGS, serving, type Served, SETTINGS } from './serving.ts'

const KIB = 1024

const stack = new AsyncDisposableStack()
let shop: Shop
let served: Served
let router: TestRouter
beforeAll(async () => {
  shop = stack.use(await startShop())
  served = stack.use(await serving(shop, [rollout()]))
  ;({ router } = served)
})
afterAll(() => stack.disposeAsync())

const refusalOf = ({ status, text }: Reply) => [status, JSON.parse(text)]

describe('a body', () => {
  it.each<[string, object | string, string, string]>([
    ['is no JSON', '{', 'PARSE_ERROR', 'The request body is not valid JSON.'],
    ['is a list', [], 'PARSE_ERROR', 'The request body is not a JSON object.'],
    ['is null', 'null', 'PARSE_ERROR', 'The request body is not a JSON object.'],
    [
      'has a list as context',
      { context: [] },
      'INVALID_CONTEXT',
      '"context" is neither a JSON object nor null.',
    ],
    [
      'has a text as context',
      { context: 'x' },
      'INVALID_CONTEXT',
      '"context" is neither a JSON object nor null.',
    ],
  ])('that %s is refused in the form of the protocol', async (_, body, errorCode, errorDetails) => {
    expect(refusalOf(await ask(router, { body }))).toEqual([400, { errorCode, errorDetails }])
    expect(refusalOf(await ask(router, { body, path: '/next' }))).toEqual([
      400,
      { key: 'next', errorCode, errorDetails },
    ])
  })

  it('that is no UTF-8 is refused', async () => {
    const reply = await send(`${router.url}${FLAGS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0xff, 0x7d]),
    })
    expect(refusalOf(reply)).toEqual([
      400,
      { errorCode: 'PARSE_ERROR', errorDetails: 'The request body is not UTF-8 text.' },
    ])
  })

  it('may have 16 KiB and no more, whether it says how long it is or not', async () => {
    const sized = (bytes: number) => `{"context":{"x":"${'x'.repeat(bytes - 20)}"}}`
    expect([sized(16 * KIB).length, (await ask(router, { body: sized(16 * KIB) })).status]).toEqual([
      16 * KIB,
      200,
    ])
    const tooLarge = [
      413,
      {
        errorCode: 'GENERAL',
        errorDetails: 'PAYLOAD_TOO_LARGE: The request body is larger than the 16384 bytes allowed.',
      },
    ]
    expect(refusalOf(await ask(router, { body: sized(16 * KIB + 1) }))).toEqual(tooLarge)
    expect(refusalOf(await chunked(sized(64 * KIB)))).toEqual(tooLarge)
    expect(
      (await ask(router, { body: `{"context":${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}}` })).status,
    ).toBe(200)
  })

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json; charset=latin1', 415],
    ['', 415],
    ['application/json; charset=utf-8', 200],
  ])('of the type "%s" gets %i', async (type, status) => {
    expect((await ask(router, { headers: { 'content-type': type } })).status).toBe(status)
  })

  it('that does not arrive costs the others nothing', async () => {
    const socket = connect(router.port, '127.0.0.1')
    socket.write(
      `POST ${FLAGS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    )
    expect((await ask(router, { headers: ANN })).status).toBe(200)
    socket.destroy()
    await until(() => router.activeRequests() === 0, 'the request is let go')
  })

  it('that is too slow is refused', async () => {
    await using slow = await serving(shop, [], {
      settings: 'traffic: { headers_timeout: 200ms, request_timeout: 300ms }',
    })
    const socket = connect(slow.router.port, '127.0.0.1')
    socket.write(
      `POST ${FLAGS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    )
    const text = (await socket.setEncoding('utf8').toArray()).join('')
    expect(text).toMatch(/^HTTP\/1.1 408 /)
  })
})

describe('a key', () => {
  const notFound = (key: string) => [
    404,
    { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: 'This router knows no such flag.' },
  ]

  it.each([
    ['of a flag that is served and not listed', 'other', 'other'],
    ['of no flag', 'nothing', 'nothing'],
    ['in another case', 'NEXT', 'NEXT'],
    ['with a slash', 'a%2Fb', 'a/b'],
    ['that is no percent-encoding', '%zz', '%zz'],
    ['with half a character', '%c3', '%c3'],
    ['of dots', '..', '..'],
    ['with a null', '%00', '\0'],
    ['of an inherited property', '__proto__', '__proto__'],
    ['of another inherited property', 'constructor', 'constructor'],
  ])('%s is not found', async (_, segment, key) => {
    expect(refusalOf(await raw(`${FLAGS}/${segment}`))).toEqual(notFound(key))
  })

  it('may be percent-encoded', async () => {
    expect(refusalOf(await raw(`${FLAGS}/n%65xt`))).toEqual([
      200,
      { key: 'next', value: false, variant: 'off', reason: 'DEFAULT' },
    ])
  })

  it('may be as long as the headers may be', async () => {
    const key = 'x'.repeat(12 * KIB)
    expect(refusalOf(await raw(`${FLAGS}/${key}`))).toEqual(notFound(key))
    expect((await raw(`${FLAGS}/${'x'.repeat(64 * KIB)}`)).status).toBe(431)
  })

  it.each(['/', '/a/b', '//next'])('%s is an unknown path', async (path) => {
    const reply = await raw(`${FLAGS}${path}`)
    expect([reply.status, reply.json.errors?.[0]?.extensions]).toEqual([404, { code: 'NOT_FOUND' }])
  })

  it('does not tell whether a flag exists, in no header either', async () => {
    const answers = ['other', 'otter'].map(async (key) => {
      const reply = await ask(router, { path: `/${key}`, headers: { 'x-request-id': 'r' } })
      const { date: _, ...headers } = reply.headers
      return [reply.status, reply.text.replaceAll(key, 'KEY'), headers]
    })
    const [exists, doesNot] = await Promise.all(answers)
    expect(exists).toEqual(doesNot)
    const named = ['other', 'otter'].map(async (flag) => {
      const reply = await ask(router, { headers: { 'x-feature-flag': flag, 'x-request-id': 'r' } })
      const { date: _, ...headers } = reply.headers
      return [reply.status, reply.text, headers]
    })
    const [namesOne, namesNone] = await Promise.all(named)
    expect(namesOne).toEqual(namesNone)
  })
})

describe('other requests', () => {
  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('by %s are refused', async (method) => {
    const reply = await ask(router, { method, path: '/next' })
    expect([reply.status, reply.headers.allow, JSON.parse(reply.text)]).toEqual([
      405,
      'POST',
      { key: 'next', errorCode: 'GENERAL', errorDetails: 'METHOD_NOT_ALLOWED: Flags are asked for by POST.' },
    ])
  })

  it('without a token are refused where one is required', async () => {
    await using tokens = await issueTokens({ ann: { sub: 'ann' } })
    const authentication = JSON.stringify({ ...JSON.parse(tokens.settings), require: true })
    await using guarded = await serving(shop, [], { settings: `authentication: ${authentication}` })
    const refused = await ask(guarded.router)
    expect([refused.status, refused.headers['www-authenticate'], JSON.parse(refused.text)]).toEqual([
      401,
      'Bearer realm="graphql"',
      expect.objectContaining({ errorDetails: expect.stringMatching(/^AUTHENTICATION_REQUIRED: /) }),
    ])
    const forged = await ask(guarded.router, { headers: { authorization: 'Bearer a.b.c' } })
    expect([forged.status, JSON.parse(forged.text).errorDetails]).toEqual([
      401,
      expect.stringMatching(/^TOKEN_INVALID: /),
    ])
    expect((await ask(guarded.router, { headers: tokens.headersOf('ann') })).status).toBe(200)
  })

  it('count for the rate limits of their client, with those for GraphQL', async () => {
    const settings = 'rate_limits: { rules: [{ name: all, limit: 2, per: 1h, key: [] }] }'
    await using limited = await serving(shop, [], { settings })
    expect((await post(limited.router, { query: '{ version }' })).status).toBe(200)
    expect((await ask(limited.router)).status).toBe(200)
    const refused = await ask(limited.router, { path: '/next' })
    expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text)]).toEqual([
      429,
      '1800',
      { key: 'next', errorCode: 'GENERAL', errorDetails: expect.stringMatching(/^RATE_LIMITED: /) },
    ])
  })

  it('are refused while nothing is served', async () => {
    await using world = await ConfigWorld.create()
    await using waiting = await routerOn(world, { settings: SETTINGS })
    const refused = await ask(waiting)
    expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text).errorDetails]).toEqual([
      503,
      '1',
      expect.stringMatching(/^NOT_READY: /),
    ])
  })

  it('are refused while as many are in progress as may be', async () => {
    await using guarded = await startGuardedShop()
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: guarded.base })
    await using busy = await routerOn(world, {
      settings: `${SETTINGS}\ntraffic: { max_concurrent_requests: 1 }`,
    })
    await busy.ready
    const held = guarded.hold()
    const query = post(busy, { query: '{ users { id } }' })
    await until(() => busy.activeRequests() === 1, 'a request is in progress')
    const refused = await ask(busy)
    held[Symbol.dispose]()
    expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text).errorDetails]).toEqual([
      503,
      '1',
      expect.stringMatching(/^OVERLOADED: /),
    ])
    expect([(await query).status, (await ask(busy)).status]).toEqual([200, 200])
  })

  it('are refused in part while the event loop is late', async () => {
    await using late = await serving(shop, [], { settings: 'traffic: { max_event_loop_delay: 20ms }' })
    const refused = await until(async () => {
      const end = performance.now() + 150
      while (performance.now() < end);
      await new Promise((resolve) => setTimeout(resolve, 1))
      const reply = await ask(late.router)
      return reply.status === 503 ? reply : undefined
    }, 'a refusal')
    expect(JSON.parse(refused.text).errorDetails).toMatch(/^OVERLOADED: /)
  })
})

describe('a page of another origin', () => {
  it('may poll with a tag, and read it', async () => {
    await using open = await serving(shop, [], { settings: 'cors: { origins: [https://shop.example] }' })
    const origin = { origin: 'https://shop.example' }
    const listOf = (value: unknown) => String(value).split(', ')
    const preflight = (path: string) =>
      send(`${open.router.url}${path}`, {
        method: 'OPTIONS',
        headers: { ...origin, 'access-control-request-method': 'POST' },
      })
    const flags = await preflight(FLAGS)
    expect([flags.status, listOf(flags.headers['access-control-allow-headers'])]).toEqual([
      204,
      expect.arrayContaining(['Content-Type', 'If-None-Match']),
    ])
    const graphql = await preflight('/graphql')
    expect(listOf(graphql.headers['access-control-allow-headers'])).not.toContain('If-None-Match')
    for (const path of ['', '/next', '/nothing']) {
      const reply = await ask(open.router, { headers: origin, path })
      expect([path, listOf(reply.headers['access-control-expose-headers'])]).toEqual([
        path,
        expect.arrayContaining(['ETag', 'Retry-After']),
      ])
      expect(reply.headers['access-control-allow-origin']).toBe('https://shop.example')
    }
    const { etag = '' } = (await ask(open.router, { headers: origin })).headers
    const same = await ask(open.router, { headers: { ...origin, 'if-none-match': etag } })
    expect([same.status, same.headers['access-control-allow-origin']]).toEqual([304, 'https://shop.example'])
    expect((await ask(open.router, { method: 'GET' })).headers.allow).toBe('POST, OPTIONS')
  })
})

/** Sends a body without saying how long it is. */
function chunked(body: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      `${router.url}${FLAGS}`,
      { method: 'POST', headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: {} }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Sends a path as it is, without the corrections of a URL. */
async function raw(path: string): Promise<Reply> {
  const socket = connect(router.port, '127.0.0.1')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  )
  const answer = (await socket.setEncoding('utf8').toArray()).join('')
  const body = answer.indexOf('\r\n\r\n')
  const text = answer.slice(body + 4)
  return { status: Number(answer.split(' ', 2)[1]), headers: {}, text, json: JSON.parse(text) }
}

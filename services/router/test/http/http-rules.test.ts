import { VERSION } from '@switchyard/service-kit'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { startGate } from '../support/gate.ts'
import { post, type Reply, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8'
const GRAPHQL = { accept: 'application/graphql-response+json' }
const COOKIE = { cookie: 'session=1' }
const PREFLIGHT = { ...COOKIE, 'x-requested-with': 'test' }
const QUERY = '{ version }'
const HASH = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } }

const codeOf = (reply: Reply) => reply.json.errors?.[0]?.extensions['code']
/** All bytes that come back until the router closes the connection. */
function rawAnswer(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
let router: TestRouter

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  router = stack.use(
    await routerOn(world, {
      settings: `
limits: { max_body_size: 2KiB, max_depth: 3, max_aliases: 2, max_root_fields: 3, max_tokens: 60 }
`,
    }),
  )
  await router.ready
})
afterAll(() => stack.disposeAsync())

describe('POST /graphql', () => {
  it.each([
    ['an operation', { query: QUERY }, {}, 200, undefined],
    [
      'a null for everything optional',
      { query: QUERY, variables: null, operationName: null, extensions: null },
      {},
      200,
      undefined,
    ],
    ['a charset', { query: QUERY }, { 'content-type': 'application/json; charset=UTF-8' }, 200, undefined],
    ['a body that is no JSON', '{', {}, 400, 'BAD_REQUEST'],
    ['an empty body', '', {}, 400, 'BAD_REQUEST'],
    ['a list', [{ query: QUERY }], {}, 400, 'BATCHING_NOT_SUPPORTED'],
    ['no query', {}, {}, 400, 'BAD_REQUEST'],
    ['the hash of a query alone', { extensions: HASH }, {}, 200, 'PERSISTED_QUERY_NOT_SUPPORTED'],
    [
      'the hash of a query and an empty one',
      { query: '', extensions: HASH },
      {},
      200,
      'PERSISTED_QUERY_NOT_SUPPORTED',
    ],
    [
      'the hash of a query alone, new media type',
      { query: null, extensions: HASH },
      GRAPHQL,
      200,
      'PERSISTED_QUERY_NOT_SUPPORTED',
    ],
    ['the hash of a query beside it', { query: QUERY, extensions: HASH }, {}, 200, undefined],
    ['extensions without a hash alone', { extensions: { persistedQuery: null } }, {}, 400, 'BAD_REQUEST'],
    ['variables that are a list', { query: QUERY, variables: [] }, {}, 400, 'BAD_REQUEST'],
    ['extensions that are a string', { query: QUERY, extensions: '' }, {}, 400, 'BAD_REQUEST'],
    ['text', QUERY, { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a form',
      'query=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'another charset',
      { query: QUERY },
      { 'content-type': 'application/json; charset=utf-16' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['an unknown coding', { query: QUERY }, { 'content-encoding': 'lzma' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a body over the limit', { query: `${QUERY}${' '.repeat(3000)}` }, {}, 413, 'PAYLOAD_TOO_LARGE'],
    ['nothing it may answer with', { query: QUERY }, { accept: 'text/html' }, 406, 'NOT_ACCEPTABLE'],
    [
      'an invalid query nobody could read about',
      { query: '{' },
      { accept: 'text/html' },
      406,
      'NOT_ACCEPTABLE',
    ],
    [
      'too much depth',
      { query: '{ topProducts { reviews { body __typename } } a: __schema { types { fields { name } } } }' },
      {},
      400,
      'OPERATION_LIMIT_EXCEEDED',
    ],
    [
      'too many aliases',
      { query: '{ a: version b: version c: version }' },
      {},
      400,
      'OPERATION_LIMIT_EXCEEDED',
    ],
    [
      'too many root fields',
      { query: '{ version fails product(upc: 1) { upc } topProducts { upc } }' },
      {},
      400,
      'OPERATION_LIMIT_EXCEEDED',
    ],
    ['too many tokens', { query: `{ ${'version '.repeat(80)} }` }, {}, 400, 'OPERATION_LIMIT_EXCEEDED'],
    ['a parse error', { query: '{' }, {}, 200, 'GRAPHQL_PARSE_FAILED'],
    ['a validation error', { query: '{ nope }' }, {}, 200, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'an unknown operation name',
      { query: QUERY, operationName: 'Other' },
      {},
      200,
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'a wrong variable',
      { query: 'query($n: Int!) { topProducts(first: $n) { upc } }', variables: { n: 'x' } },
      {},
      200,
      'BAD_USER_INPUT',
    ],
    ['a parse error, new media type', { query: '{' }, GRAPHQL, 400, 'GRAPHQL_PARSE_FAILED'],
    ['a validation error, new media type', { query: '{ nope }' }, GRAPHQL, 400, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a wrong variable, new media type',
      { query: 'query($n: Int!) { topProducts(first: $n) { upc } }' },
      GRAPHQL,
      400,
      'BAD_USER_INPUT',
    ],
    ['a failing field', { query: '{ fails }' }, GRAPHQL, 200, 'DB_DOWN'],
  ])('with %s', async (_, body, headers, status, code) => {
    const reply = await send(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    expect(reply.status).toBe(status)
    expect(codeOf(reply)).toBe(code)
    expect(reply.headers.vary).toBe('Accept, X-Feature-Flag, Cookie')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['content-type']).toBe(headers === GRAPHQL ? GRAPHQL_TYPE : JSON_TYPE)
    expect(Number(reply.headers['content-length'])).toBe(Buffer.byteLength(reply.text))
    if (code !== undefined && code !== 'DB_DOWN') expect(Object.keys(reply.json)).toEqual(['errors'])
  })

  it('refuses bytes that are not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"query":"{ version } # '),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ])
    const reply = await send(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([reply.status, codeOf(reply)]).toEqual([400, 'BAD_REQUEST'])
  })

  it('executes mutations, with variables', async () => {
    const reply = await post(router, {
      query: 'mutation R($name: String!) { rename(upc: "1", name: $name) { name reviews { body } } }',
      variables: { name: 'Desk' },
      operationName: 'R',
    })
    expect(reply.json).toEqual({ data: { rename: { name: 'Desk', reviews: [{ body: 'Review of 1' }] } } })
  })

  it('keeps data beside the error of a subgraph, at its path and with its code only', async () => {
    const reply = await post(router, { query: '{ version fails }' })
    expect(reply.json.data).toEqual({ version: 'products', fails: null })
    expect(reply.json.errors).toEqual([
      {
        message: 'The database said no',
        path: ['fails'],
        extensions: { code: 'DB_DOWN', serviceName: 'products' },
      },
    ])
  })
})

describe('GET /graphql', () => {
  const get = (parameters: Record<string, string>, headers: Record<string, string>) =>
    send(`${router.graphqlUrl}?${new URLSearchParams(parameters).toString()}`, { headers })

  it.each([
    ['a guard header', { query: QUERY }, PREFLIGHT, 200, undefined],
    [
      'the header Apollo-Require-Preflight',
      { query: QUERY },
      { ...COOKIE, 'apollo-require-preflight': '1' },
      200,
      undefined,
    ],
    [
      'the header GraphQL-Require-Preflight',
      { query: QUERY },
      { ...COOKIE, 'graphql-require-preflight': '1' },
      200,
      undefined,
    ],
    [
      'a content type no form can send',
      { query: QUERY },
      { ...COOKIE, 'content-type': 'application/json' },
      200,
      undefined,
    ],
    ['no credentials and no guard header', { query: QUERY }, {}, 200, undefined],
    ['a cookie and nothing that needs a preflight request', { query: QUERY }, COOKIE, 403, 'CSRF_PREVENTED'],
    [
      'a cookie and a content type of forms',
      { query: QUERY },
      { ...COOKIE, 'content-type': 'Text/Plain; x=y' },
      403,
      'CSRF_PREVENTED',
    ],
    [
      'a cookie and a malformed content type',
      { query: QUERY },
      { ...COOKIE, 'content-type': 'json' },
      403,
      'CSRF_PREVENTED',
    ],
    ['no query', {}, PREFLIGHT, 400, 'BAD_REQUEST'],
    [
      'the hash of a query alone',
      { extensions: JSON.stringify(HASH) },
      PREFLIGHT,
      200,
      'PERSISTED_QUERY_NOT_SUPPORTED',
    ],
    ['the hash of a query beside it', { query: QUERY, extensions: JSON.stringify(HASH) }, {}, 200, undefined],
    ['variables that are no JSON', { query: QUERY, variables: '{' }, PREFLIGHT, 400, 'BAD_REQUEST'],
    [
      'a mutation',
      { query: 'mutation { rename(upc: 1, name: "x") { upc } }' },
      PREFLIGHT,
      405,
      'METHOD_NOT_ALLOWED',
    ],
  ])(
    'with %s',
    async (_, parameters: Record<string, string>, headers: Record<string, string>, status, code) => {
      const reply = await get(parameters, headers)
      expect([reply.status, codeOf(reply)]).toEqual([status, code])
    },
  )

  it('names POST for a mutation, and does not execute it', async () => {
    const before = shop.products.requests.length
    const reply = await get({ query: 'mutation { rename(upc: 1, name: "x") { upc } }' }, PREFLIGHT)
    expect(reply.headers.allow).toBe('POST')
    expect(shop.products.requests.length).toBe(before)
  })

  it('takes variables and an operation name', async () => {
    const reply = await get(
      {
        query: 'query A { version } query B($n: Int) { topProducts(first: $n) { upc } }',
        operationName: 'B',
        variables: '{"n":1}',
      },
      PREFLIGHT,
    )
    expect(reply.json).toEqual({ data: { topProducts: [{ upc: '1' }] } })
  })
})

describe('other requests', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])('by %s are not allowed', async (method) => {
    const reply = await send(router.graphqlUrl, { method })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, POST'])
  })

  it.each(['/', '/graphql/', '/graphqlx', '/health', '/GRAPHQL'])('to %s find nothing', async (path) => {
    const reply = await send(`${router.url}${path}`)
    expect([reply.status, codeOf(reply)]).toEqual([404, 'NOT_FOUND'])
  })

  it('to health answer plainly', async () => {
    expect((await send(`${router.url}/health/live`)).json).toEqual({ status: 'ok', version: VERSION })
    expect((await send(`${router.url}/health/ready`)).status).toBe(200)
    expect((await send(`${router.url}/health/ready`, { method: 'POST' })).headers.allow).toBe('GET, HEAD')
  })

  it('with too large headers get 431', async () => {
    const reply = await send(router.graphqlUrl, { headers: { 'x-large': 'x'.repeat(40_000) } })
    expect([reply.status, codeOf(reply)]).toEqual([431, 'HEADERS_TOO_LARGE'])
  })

  it.each([
    ['headers', 'POST /graphql HTTP/1.1\r\nHost: x\r\n', 408],
    [
      'a body',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
      408,
    ],
    ['anything but HTTP', 'HELLO\r\n\r\n', 400],
  ])('that never finish sending %s are ended', async (_, start, status) => {
    await using strict = await routerOn(world, {
      settings: 'traffic: { headers_timeout: 400ms, request_timeout: 800ms }',
    })
    await strict.ready
    const answer = await rawAnswer(strict.port, start)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain('"errors":[{')
  })

  it('that were refused before their body was there get one answer, whatever becomes of the body', async () => {
    await using strict = await routerOn(world, {
      settings: 'traffic: { headers_timeout: 400ms, request_timeout: 800ms }',
    })
    await strict.ready
    const answer = await rawAnswer(
      strict.port,
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n{',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 415 /)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  it.each([
    ['without a Host header', 'POST /graphql HTTP/1.1\r\n', 400, '"code":"BAD_REQUEST"'],
    [
      'with an unknown expectation',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n',
      200,
      '{"data":{',
    ],
    ['in absolute form', 'POST http://graph.example/graphql HTTP/1.1\r\nHost: x\r\n', 200, '{"data":{'],
    [
      'in absolute form without a path',
      'GET http://graph.example HTTP/1.1\r\nHost: x\r\n',
      404,
      '"code":"NOT_FOUND"',
    ],
    ['of HTTP/1.0 without a Host header', 'POST /graphql HTTP/1.0\r\n', 200, '{"data":{'],
    ['with an IPv6 host and a port', 'POST /graphql HTTP/1.1\r\nHost: [::1]:4000\r\n', 200, '{"data":{'],
    ['with two Host headers', 'POST /graphql HTTP/1.1\r\nHost: x\r\nHOST: x\r\n', 400, 'more than one Host'],
    [
      'with two Authorization headers',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nX: y\r\nauthorization: Bearer b\r\n',
      400,
      'more than one Authorization header',
    ],
    [
      'with two Content-Type headers',
      'POST /graphql HTTP/1.1\r\nHost: x\r\ncontent-type: text/plain\r\n',
      400,
      'more than one Content-Type header',
    ],
    ['with an empty Host header', 'POST /graphql HTTP/1.1\r\nHost:\r\n', 400, 'is no host'],
    ['with a path in Host', 'POST /graphql HTTP/1.1\r\nHost: x/y\r\n', 400, 'is no host'],
    ['with two hosts in one header', 'POST /graphql HTTP/1.1\r\nHost: x, y\r\n', 400, 'is no host'],
    ['with a user in Host', 'POST /graphql HTTP/1.1\r\nHost: u@x\r\n', 400, 'is no host'],
    [
      'that call themselves HTTP/2.0',
      'POST /graphql HTTP/2.0\r\nHost: x\r\n',
      400,
      'says that it is HTTP/2.0',
    ],
  ])('%s are answered with a GraphQL body', async (_, start, status, part) => {
    const body = JSON.stringify({ query: QUERY })
    const answer = await rawAnswer(
      router.port,
      `${start}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain(part)
  })

  it.each(['gzip, chunked', 'chunked, chunked', 'identity, chunked'])(
    'with Transfer-Encoding: %s are refused, and their connection is closed',
    async (coding) => {
      const body = `{"query":"${QUERY}"}`
      const answer = await rawAnswer(
        router.port,
        `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n/)
      expect(answer).toContain('"code":"BAD_REQUEST"')
    },
  )

  it.each([
    ['413', 'application/json', 9999],
    ['415', 'text/plain', 10],
  ])('are answered with %s before they are told to go on', async (status, type, length) => {
    const answer = await rawAnswer(
      router.port,
      `POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
    )
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
    expect(answer).not.toContain('100 Continue')
  })

  it('that wait to be told to go on are told so once their body is wanted', async () => {
    const body = JSON.stringify({ query: QUERY })
    const socket = connect(router.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    await until(() => text === 'HTTP/1.1 100 Continue\r\n\r\n', 'it is told to go on')
    socket.write(body)
    await until(() => text.endsWith('{"data":{"version":"products"}}'), 'it is answered')
    socket.destroy()
  })

  it('that leave in the middle of their body leave nothing behind', async () => {
    const socket = connect(router.port, '127.0.0.1', () => {
      socket.write(
        'POST /graphql HTTP/1.1\r\nHost: x\r\nX-Feature-Flag: gone\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
      )
      setTimeout(() => socket.destroy(), 50)
    })
    const line = await until(
      () => router.logs.find(({ aborted }) => aborted === true),
      'the aborted request is logged',
    )
    expect(line).toMatchObject({
      event: 'request.answered',
      status: 0,
      msg: 'the client left before its answer was complete',
    })
  })
})

describe('settings', () => {
  it('put GraphQL under a base path, and health not', async () => {
    await using based = await routerOn(world, { settings: 'base_path: /api/v1/' })
    await based.ready
    expect(based.graphqlUrl).toBe(`${based.url}/api/v1/graphql`)
    expect((await post(based, { query: QUERY })).status).toBe(200)
    expect((await send(`${based.url}/graphql`)).status).toBe(404)
    expect((await send(`${based.url}/health/ready`)).status).toBe(200)
  })

  it('bound the answer to introspection, before anything else is done for the request', async () => {
    await using small = await routerOn(world, { settings: 'limits: { max_introspection_size: 1KiB }' })
    await small.ready
    const query = '{ version __schema { types { name description } } }'
    const refused = await post(small, { query })
    expect(refused.status).toBe(400)
    expect(refused.json.errors).toEqual([
      {
        message:
          'The answer to the introspection would be larger than the 1024 characters allowed. Expected fewer aliases in it, or fewer lists within lists.',
        extensions: { code: 'OPERATION_LIMIT_EXCEEDED' },
      },
    ])
    const allowed = await post(small, { query: '{ a: version __schema { queryType { name } } b: version }' })
    expect(allowed.text).toMatch(
      /^\{"data":\{"a":"[^"]+","__schema":\{"queryType":\{"name":"Query"\}\},"b":"[^"]+"\}\}$/,
    )
  })

  it('switch introspection off, by any field of it', async () => {
    await using closed = await routerOn(world, { settings: 'introspection: { enabled: false }' })
    await closed.ready
    for (const query of [
      '{ __schema { queryType { name } } }',
      '{ ...F } fragment F on Query { x: __type(name: "Product") { name } }',
    ]) {
      expect(codeOf(await post(closed, { query }))).toBe('INTROSPECTION_DISABLED')
      expect((await post(closed, { query }, GRAPHQL)).status).toBe(400)
    }
    expect((await post(closed, { query: '{ __typename }' })).json).toEqual({ data: { __typename: 'Query' } })
  })

  it.each([
    ['a field', { query: '{ versio }' }],
    ['a field of a type', { query: '{ topProducts { nam } }' }],
    ['a type', { query: '{ topProducts { ... on Produc { name } } }' }],
    ['an argument', { query: '{ slow(millisecond: 1) }' }],
    ['an argument of a directive', { query: '{ version @include(if: true, iff: 1) }' }],
  ])('suggest %s only to who may have the schema', async (_, body) => {
    await using closed = await routerOn(world, { settings: 'introspection: { enabled: false }' })
    await using open = await routerOn(world)
    await Promise.all([closed.ready, open.ready])
    const messageFrom = async (router: TestRouter) =>
      (await post(router, body)).json.errors?.[0]?.message ?? ''
    const [explained, plain] = [await messageFrom(open), await messageFrom(closed)]
    expect(explained).toMatch(/ Did you mean ".*"\?$/)
    expect(plain).not.toBe('')
    expect(explained.startsWith(`${plain} Did you mean `)).toBe(true)
  })

  it('keep refusals out of caches, whatever they say of answers', async () => {
    await using cached = await routerOn(world, { settings: 'response: { cache_control: "max-age=60" }' })
    await cached.ready
    const reply = await post(cached, { extensions: HASH })
    expect(reply.headers['cache-control']).toBe('no-store')
    const forged = await send(`${cached.graphqlUrl}?query={version}`, { headers: COOKIE })
    expect([forged.status, forged.headers['cache-control']]).toEqual([403, 'no-store'])
    expect(reply.json).toEqual({
      errors: [
        { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
      ],
    })
  })

  it('set the Cache-Control of answers', async () => {
    await using cached = await routerOn(world, {
      settings: 'response: { cache_control: "private, max-age=5" }',
    })
    await cached.ready
    expect((await post(cached, { query: QUERY })).headers['cache-control']).toBe('private, max-age=5')
  })

  it('refuse requests above the number that may be in progress', async () => {
    await using use = new AsyncDisposableStack()
    const gate = use.use(await startGate(shop.products.url))
    const own = use.use(await ConfigWorld.create())
    const base = buildArtifact('base', { products: gate.url, reviews: shop.reviews.url })
    await own.publish({ revision: 1, base })
    const small = use.use(await routerOn(own, { settings: 'traffic: { max_concurrent_requests: 1 }' }))
    await small.ready
    gate.close()
    const slow = post(small, { query: QUERY })
    await until(() => gate.held.count > 0, 'the slow request is in progress')
    const refused = await post(small, { query: QUERY })
    expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([
      503,
      'OVERLOADED',
      '1',
    ])
    gate.open()
    expect((await slow).status).toBe(200)
    expect((await post(small, { query: QUERY })).status).toBe(200)
  })
})

describe('CORS', () => {
  const preflight = (target: TestRouter, origin: string, headers: Record<string, string> = {}) =>
    send(target.graphqlUrl, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', ...headers },
    })

  it('is off by default', async () => {
    const reply = await post(router, { query: QUERY }, { origin: 'https://a.example' })
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await preflight(router, 'https://a.example')).status).toBe(405)
  })

  it('lets the configured origins in, and no other', async () => {
    const settings =
      'cors: { origins: ["https://a.example"], credentials: true, max_age: 60, allow_headers: [X-Mine] }'
    await using open = await routerOn(world, { settings })
    await open.ready
    const answer = await post(open, { query: QUERY }, { origin: 'https://a.example' })
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'X-Feature-Flag, X-Request-Id',
      vary: 'Accept, X-Feature-Flag, Cookie, Origin',
    })
    const allowed = await preflight(open, 'https://a.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers['access-control-allow-headers']).toMatch(
      /^Content-Type, .*X-Feature-Flag.*, X-Mine$/,
    )
    expect(allowed.headers['access-control-max-age']).toBe('60')
    const other = await preflight(open, 'https://b.example')
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('lets pages send what header rules propagate, by the name that clients use', async () => {
    const settings = `
cors: { origins: ["https://a.example"], allow_headers: [X-Tenant, X-Mine] }
csrf: { accepted_headers: [x-shop-client] }
tracing: { vendor: acme }
headers:
  request: [{ propagate: Authorization }, { propagate: x-tenant, rename: x-shop-tenant }, { set: x-fixed, value: a }]
  subgraphs: { products: { request: [{ propagate: x-price-list, default: none }, { propagate: authorization }] } }
`
    await using open = await routerOn(world, { settings })
    const { headers } = await preflight(open, 'https://a.example')
    expect(String(headers['access-control-allow-headers']).split(', ')).toEqual([
      'Content-Type',
      'Accept',
      'Apollo-Require-Preflight',
      'X-Apollo-Operation-Name',
      'X-Requested-With',
      'GraphQL-Require-Preflight',
      'X-Feature-Flag',
      'Traceparent',
      'Tracestate',
      'Content-Encoding',
      'X-acme-Trace',
      'X-acme-Token',
      'X-acme-Trace-As',
      'graphql-client-name',
      'apollographql-client-name',
      'graphql-client-version',
      'apollographql-client-version',
      'X-Request-Id',
      'x-shop-client',
      'Authorization',
      'x-tenant',
      'x-price-list',
      'X-Mine',
    ])
  })

  it('lets pages send what a rule propagates by a pattern, as far as they ask for it', async () => {
    const settings = `
cors: { origins: ["https://a.example"] }
headers: { request: [{ propagate_matching: x-tenant-*, except: [x-tenant-secret] }] }
`
    await using open = await routerOn(world, { settings })
    await open.ready
    const asked = { 'access-control-request-headers': 'x-other,X-Tenant-A, x-tenant-b,x-tenant-secret' }
    const { headers } = await preflight(open, 'https://a.example', asked)
    const names = String(headers['access-control-allow-headers']).split(', ')
    expect(names.filter((name) => /tenant|other/i.test(name))).toEqual(['x-tenant-a', 'x-tenant-b'])
  })

  it('lets pages ask for streams with any Accept, also one that browsers ask permission for', async () => {
    await using open = await routerOn(world, { settings: 'cors: { origins: ["https://a.example"] }' })
    await open.ready
    const { headers } = await preflight(open, 'https://a.example')
    expect(String(headers['access-control-allow-headers']).split(', ')).toContain('Accept')
  })
})

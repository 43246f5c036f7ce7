import { connect as connectTcp } from 'node:net'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, parse, validate } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../support/config-world.ts'
import type { Gate } from '../support/gate.ts'
import { DEFERRING, gatedWorld, type GatedWorld } from '../support/gated-world.ts'
import { posted } from '../support/raw-http.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { http2SessionOn, overHttp1, overHttp2 } from '../support/streams.ts'
import { startSubgraph, type TestSubgraph } from '../support/subgraph.ts'

const DEFERRED = 'query Deferred { product(upc: "1") { name ...@defer(label: "r") { reviews { body } } } }'
const INITIAL = {
  data: { product: { name: 'Table' } },
  pending: [{ id: '1', path: ['product'], label: 'r' }],
  hasNext: true,
}
const FINAL = {
  incremental: [{ data: { reviews: [{ body: 'Review of 1' }] }, id: '1' }],
  completed: [{ id: '1' }],
  hasNext: false,
}

const stack = new AsyncDisposableStack()
let products: TestSubgraph
let next: TestSubgraph
/** In front of reviews: what is deferred waits here. */
let gate: Gate
let gated: GatedWorld
let world: ConfigWorld
let router: TestRouter

beforeAll(async () => {
  products = stack.use(await startSubgraph('products'))
  next = stack.use(await startSubgraph('products-next'))
  const reviews = stack.use(await startSubgraph('reviews'))
  gated = await gatedWorld(stack, { products: products.url, next: next.url, reviews: reviews.url })
  gate = gated.gate
  world = gated.world
  router = stack.use(await routerOn(world, { settings: DEFERRING }))
  await router.ready
})
afterAll(() => stack.disposeAsync())
beforeEach(() => gate.open())

/**
 * https://www.rfc-editor.org/rfc/rfc9112#name-chunked-transfer-coding, of text without multi-byte characters.
 */
function withoutChunks(text: string): string {
  let rest = text
  let content = ''
  for (;;) {
    const [, size = '0'] = /^([0-9a-f]+)\r\n/.exec(rest) ?? []
    const start = size.length + 2
    const length = Number.parseInt(size, 16)
    if (length === 0) return content
    content += rest.slice(start, start + length)
    rest = rest.slice(start + length + 2)
  }
}

describe('an operation with @defer', () => {
  it('is answered in parts, the first while what is deferred is still waited for', async () => {
    gate.close()
    const stream = await overHttp1(router, DEFERRED, { 'x-feature-flag': 'next' })
    expect(await stream.next()).toEqual(INITIAL)
    gate.open()
    expect(await stream.next()).toEqual(FINAL)
    expect(await stream.next()).toBeNull()
    expect(stream.status).toBe(200)
    const { date: _, connection: __, 'keep-alive': ___, ...headers } = stream.headers
    expect(headers).toEqual({
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'content-type': 'multipart/mixed; boundary="graphql"; incrementalSpec=v0.2',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
      'x-feature-flag': 'next',
      vary: 'Accept, X-Feature-Flag, Cookie',
    })
  })

  it('is answered in the same parts over HTTP/2, with the same headers but the one that HTTP/2 forbids', async () => {
    gate.close()
    using session = await http2SessionOn(router)
    const stream = await overHttp2(session, DEFERRED, { accept: 'multipart/mixed' })
    expect(await stream.next()).toEqual(INITIAL)
    // Another request of the same connection is not held up.
    const meanwhile = await overHttp2(session, '{ product(upc: "2") { name ...@defer { price } } }')
    expect(await meanwhile.next()).toMatchObject({ data: { product: { name: 'Couch' } } })
    gate.open()
    expect(await stream.next()).toEqual(FINAL)
    expect(await stream.next()).toBeNull()
    const { date: _, ...headers } = stream.headers
    expect(Object.fromEntries(Object.entries(headers))).toEqual({
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      ':status': 200,
      'content-type': 'multipart/mixed; boundary="graphql"; incrementalSpec=v0.2',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      vary: 'Accept, X-Feature-Flag, Cookie',
    })
  })

  it('is sent byte by byte as the protocol says', async () => {
    const socket = connectTcp(router.port, '127.0.0.1')
    socket.write(posted(DEFERRED, 'Connection: close\r\n'))
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    // Parts that are there at once may share a chunk.
    const body = text.slice(text.indexOf('\r\n\r\n') + 4)
    expect(withoutChunks(body)).toBe(
      '--graphql\r\nContent-Type: application/json\r\n\r\n' +
        '{"data":{"product":{"name":"Table"}},"pending":[{"id":"1","path":["product"],"label":"r"}],"hasNext":true}' +
        '\r\n--graphql\r\nContent-Type: application/json\r\n\r\n' +
        '{"incremental":[{"data":{"reviews":[{"body":"Review of 1"}]},"id":"1"}],"completed":[{"id":"1"}],"hasNext":false}' +
        '\r\n--graphql--\r\n',
    )
  })

  it('may be sent by GET', async () => {
    const parameters = new URLSearchParams({ query: DEFERRED })
    const reply = await send(`${router.graphqlUrl}?${parameters.toString()}`, {
      headers: { 'x-requested-with': 'test', accept: 'multipart/mixed;incrementalSpec=v0.2' },
    })
    expect(reply.headers['content-type']).toContain('multipart/mixed')
    expect(reply.text.split('\r\n--graphql')).toHaveLength(3)
  })

  it.each([
    ['application/json', 'DEFER_BAD_HEADER', 'Accept: multipart/mixed'],
    ['text/html', 'DEFER_BAD_HEADER', 'Accept: multipart/mixed'],
    ['application/graphql-response+json', 'DEFER_BAD_HEADER', 'Accept: multipart/mixed'],
    ['multipart/mixed;deferSpec=20220824, */*', 'DEFER_UNSUPPORTED_SPEC', 'deferSpec=20220824'],
  ])('is refused to a client that accepts %s', async (accept, code, named) => {
    const reply = await post(router, { query: DEFERRED }, { accept })
    expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ])
    expect(reply.json).toEqual({
      errors: [{ message: expect.stringContaining(named), extensions: { code } }],
    })
    expect(reply.headers.vary).toContain('Accept')
  })

  it('takes several Accept lines as one', async () => {
    const accept = ['application/json', 'multipart/mixed;deferSpec=1', '*/*']
    expect((await post(router, { query: DEFERRED }, { accept })).json.errors?.[0]?.extensions).toEqual({
      code: 'DEFER_UNSUPPORTED_SPEC',
    })
  })

  it('is refused for what is wrong with it before anybody looks at Accept', async () => {
    const reply = await post(
      router,
      { query: '{ nope ...@defer { version } }' },
      { accept: 'application/json' },
    )
    expect(reply.json.errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED')
  })

  it('is answered by one part when nothing is left to deliver later', async () => {
    const stream = await overHttp1(router, '{ version ...@defer { version } }')
    expect(await stream.next()).toEqual({ data: { version: 'products' }, hasNext: false })
    expect(await stream.next()).toBeNull()
  })

  it('is answered by JSON, whatever Accept says, while no fragment is deferred', async () => {
    const query = 'query Q($later: Boolean!) { product(upc: "1") { name ...@defer(if: $later) { price } } }'
    const data = { product: { name: 'Table', price: 899 } }
    const ask = (later: boolean, accept: string) => post(router, { query, variables: { later } }, { accept })
    for (const accept of ['application/json', 'text/html', 'multipart/mixed;deferSpec=1', '*/*'])
      expect((await ask(false, accept)).json).toEqual({ data })
    expect((await ask(true, '*/*')).headers['content-type']).toContain('multipart/mixed')
    expect((await ask(true, 'text/html')).json.errors?.[0]?.extensions['code']).toBe('DEFER_BAD_HEADER')
    expect((await ask(false, '*/*')).json).toEqual({ data })
  })

  it('has a plan of its own for a variable that is absent, which means true', async () => {
    const query = 'query Q($later: Boolean) { product(upc: "1") { name ...@defer(if: $later) { price } } }'
    const type = async (variables: object) =>
      (await post(router, { query, variables })).headers['content-type']?.split(';')[0]
    expect(await type({ later: false })).toBe('application/json')
    expect(await type({})).toBe('multipart/mixed')
    expect(await type({ later: true })).toBe('multipart/mixed')
  })

  it('is an ordinary one where the setting is off', async () => {
    await using plain = await routerOn(world)
    await plain.ready
    const reply = await post(plain, { query: DEFERRED }, { accept: 'application/json' })
    expect(reply.json).toEqual({ data: { product: { name: 'Table', reviews: [{ body: 'Review of 1' }] } } })
    const refused = await post(plain, { query: DEFERRED }, { accept: 'text/html' })
    expect(refused.status).toBe(406)
  })

  it('is valid for tools that go by introspection, where the setting is on', async () => {
    await using plain = await routerOn(world)
    await plain.ready
    const mistakes = async (asked: TestRouter) => {
      const { json } = await post(asked, { query: getIntrospectionQuery() })
      const schema = buildClientSchema(json.data as unknown as IntrospectionQuery)
      return validate(schema, parse(DEFERRED)).map(({ message }) => message)
    }
    expect(await mistakes(router)).toEqual([])
    expect(await mistakes(plain)).toEqual(['Unknown directive "@defer".'])
  })

  it('delivers introspection, which is written apart, at once and later', async () => {
    const stream = await overHttp1(
      router,
      '{ now: __type(name: "Product") { name } ... @defer { later: __type(name: "Query") { kind } } }',
    )
    const parts = []
    for (let part = await stream.next(); part !== null; part = await stream.next()) parts.push(part)
    const text = JSON.stringify(parts)
    expect(text).toContain('{"now":{"name":"Product"}}')
    expect(text).toContain('{"later":{"kind":"OBJECT"}}')
  })

  it('leaves one line in the access log, with its parts and the time to the first', async () => {
    gate.close()
    const before = router.logs.length
    const stream = await overHttp1(router, DEFERRED.replace('Deferred', 'Logged'))
    await stream.next()
    gate.open()
    while ((await stream.next()) !== null);
    const line = await until(
      () => router.logs.slice(before).find(({ operation }) => operation === 'Logged'),
      'the stream is logged',
    )
    expect(line).toMatchObject({ event: 'request.answered', status: 200, parts: 2 })
    expect(line['firstPart']).toBeLessThan(Number(line['milliseconds']))
    expect(line).not.toHaveProperty('aborted')
  })
})

describe('what is fetched later', () => {
  it('is asked for with the trace and the headers of its request', async () => {
    await using passing = await routerOn(world, {
      settings: `${DEFERRING}\nheaders: { request: [{ propagate: x-mine }] }`,
    })
    await passing.ready
    gate.close()
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`
    const stream = await overHttp1(passing, DEFERRED, { traceparent, 'x-mine': 'yes' })
    await stream.next()
    await until(() => gate.held.headers, 'the deferred call has begun')
    expect(gate.held.headers).toMatchObject({
      traceparent: expect.stringContaining(traceId),
      'x-mine': 'yes',
    })
    gate.open()
    expect(await stream.next()).toEqual(FINAL)
  })

  it('is not asked for while the client does not read what came before', async () => {
    await using passing = await routerOn(world, {
      settings: `${DEFERRING}\nheaders: { request: [{ propagate: x-large }] }`,
    })
    await passing.ready
    gate.close()
    gate.open()
    using session = await http2SessionOn(passing)
    const large = 'x'.repeat(8000)
    const fields = Array.from({ length: 20 }, (_, index) => `a${index}: header(name: "x-large")`)
    // More than the window that HTTP/2 grants before anything is read.
    const stream = await overHttp2(
      session,
      `{ ${fields.join(' ')} ...@defer { reviewHeader(name: "x-large") } }`,
      { 'x-large': large },
    )
    expect((await post(passing, { query: '{ version }' })).status).toBe(200)
    expect(gate.held.count).toBe(0)
    expect(await stream.next()).toMatchObject({ data: { a19: large }, hasNext: true })
    expect(await stream.next()).toMatchObject({ incremental: [{ data: { reviewHeader: large } }] })
    expect(await stream.next()).toBeNull()
    expect(gate.held.count).toBe(1)
  })
})

describe('a client that leaves a stream', () => {
  it.each(['HTTP/1.1', 'HTTP/2'])(
    'of %s ends its subgraph calls, and nobody calls it an error',
    async (protocol) => {
      gate.close()
      using session = await http2SessionOn(router)
      const before = router.logs.length
      const stream = await (protocol === 'HTTP/2'
        ? overHttp2(session, DEFERRED)
        : overHttp1(router, DEFERRED))
      expect(await stream.next()).toEqual(INITIAL)
      await until(() => gate.held.count > 0, 'the deferred call has begun')
      stream.leave()
      await until(() => gate.held.aborted > 0, 'the deferred call is given up')
      const line = await until(
        () => router.logs.slice(before).find(({ event }) => event === 'request.answered'),
        'the request is logged',
      )
      expect(line).toMatchObject({ aborted: true, parts: 1 })
      expect(router.logs.slice(before).filter(({ level }) => level !== 'info')).toEqual([])
    },
  )
})

describe('clients that leave while what is deferred waits for a connection', () => {
  it('leave no request behind that a subgraph would still get', async () => {
    await using narrow = await routerOn(world, {
      settings: `${DEFERRING}\nsubgraphs: { max_connections: 2, share_inflight: false }`,
    })
    await narrow.ready
    gate.close()
    const streams = await Promise.all(Array.from({ length: 6 }, () => overHttp1(narrow, DEFERRED)))
    for (const stream of streams) expect(await stream.next()).toEqual(INITIAL)
    await until(() => gate.held.count === 2, 'as many calls as there are connections have begun')
    for (const stream of streams) stream.leave()
    await until(() => gate.held.aborted === 2, 'both are given up')
    const last = await overHttp1(narrow, DEFERRED)
    expect(await last.next()).toEqual(INITIAL)
    await until(() => gate.held.count === 3, 'the next call is that of the next client')
    gate.open()
    expect(await last.next()).toEqual(FINAL)
    expect(gate.held.count).toBe(3)
    const others = narrow.logs.filter(({ level }) => level !== 'info').map(({ event }) => event)
    // Said at each start.
    expect(others).toEqual(['router.tracing-active'])
  })
})

describe('a stream', () => {
  it('is finished on the graph it began with, whatever is served meanwhile', async () => {
    const own = await ConfigWorld.create()
    await using _ = own
    const base = gated.compose('base', products.url)
    await own.publish({ revision: 1, base })
    await using swapped = await routerOn(own, { settings: DEFERRING })
    await swapped.ready
    gate.close()
    const stream = await overHttp1(swapped, DEFERRED)
    expect(await stream.next()).toEqual(INITIAL)
    await own.publish({
      revision: 2,
      base: gated.compose('next', next.url),
    })
    await until(
      async () => (await post(swapped, { query: '{ version }' })).json.data?.['version'] === 'products-next',
      'the next revision is served',
    )
    const released = () => swapped.logs.some(({ event }) => event === 'generation.released')
    expect(released()).toBe(false)
    gate.open()
    expect(await stream.next()).toEqual(FINAL)
    expect(await stream.next()).toBeNull()
    await until(released, 'the first generation is released')
    // What was hot is planned as deferred before the swap, too.
    const warm = await overHttp1(swapped, DEFERRED)
    expect(await warm.next()).toEqual(INITIAL)
  })

  it('that has not begun at the limit of draining is refused', async () => {
    await using stopping = await routerOn(world, {
      settings: `${DEFERRING}\nshutdown: { drain_timeout: 100ms }`,
    })
    await stopping.ready
    const before = products.requests.length
    const query = '{ slow(milliseconds: 20000) ...@defer { version } }'
    const refused = post(stopping, { query })
    await until(() => products.requests.length > before, 'the subgraph is called')
    await stopping[Symbol.asyncDispose]()
    const reply = await refused
    expect([reply.status, reply.json.errors?.[0]?.extensions]).toEqual([503, { code: 'DRAINING' }])
    await until(() => products.requests[before]?.aborted, 'the call is given up')
  })

  it.each(['HTTP/1.1', 'HTTP/2'])(
    'of %s that outlasts draining says which fragment will not come',
    async (protocol) => {
      await using stopping = await routerOn(world, {
        settings: `${DEFERRING}\nshutdown: { drain_timeout: 100ms }`,
      })
      await stopping.ready
      gate.close()
      using session = await http2SessionOn(stopping)
      const stream = await (protocol === 'HTTP/2'
        ? overHttp2(session, DEFERRED)
        : overHttp1(stopping, DEFERRED))
      expect(await stream.next()).toEqual(INITIAL)
      await until(() => gate.held.count > 0, 'the deferred call has begun')
      const stopped = stopping[Symbol.asyncDispose]()
      expect(await stream.next()).toEqual({
        completed: [{ id: '1', errors: [{ message: expect.any(String), extensions: { code: 'DRAINING' } }] }],
        hasNext: false,
      })
      expect(await stream.next()).toBeNull()
      await stopped
      await until(() => gate.held.aborted > 0, 'the deferred call is given up')
    },
  )

  it('that announced objects and outlasts draining says so of all of them in one part', async () => {
    await using stopping = await routerOn(world, {
      settings: 'engine: { enable_defer: true, defer_pending: item }\nshutdown: { drain_timeout: 100ms }',
    })
    await stopping.ready
    gate.close()
    const stream = await overHttp1(stopping, '{ topProducts { upc ...@defer { reviews { id } } } }')
    expect(await stream.next()).toMatchObject({
      pending: [
        { id: '1.1', path: ['topProducts', 0] },
        { id: '1.2', path: ['topProducts', 1] },
      ],
    })
    await until(() => gate.held.count > 0, 'the deferred call has begun')
    const stopped = stopping[Symbol.asyncDispose]()
    const errors = [{ message: expect.any(String), extensions: { code: 'DRAINING' } }]
    expect(await stream.next()).toEqual({
      completed: [
        { id: '1.1', errors },
        { id: '1.2', errors },
      ],
      hasNext: false,
    })
    expect(await stream.next()).toBeNull()
    await stopped
    await until(() => gate.held.aborted > 0, 'the deferred call is given up')
    await until(() => stopping.logs.some(({ parts }) => parts === 2), 'the access log has both parts')
  })
})

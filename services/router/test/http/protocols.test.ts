import { text as readText } from 'node:stream/consumers'
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { protocolOf } from '../../src/listen/protocol.ts'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { startGate } from '../support/gate.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const JSON_BODY = { 'content-type': 'application/json' }

type Http2Reply = {
  readonly headers: IncomingHttpHeaders & { ':status'?: number | undefined }
  readonly text: string
}

/** Rejects when the stream is reset. */
function ask(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string,
): Promise<Http2Reply> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers)
    let answer: Http2Reply['headers'] = {}
    let text = ''
    stream.setEncoding('utf8')
    stream.on('response', (received) => (answer = received))
    stream.on('data', (chunk: string) => (text += chunk))
    stream.on('end', () => resolve({ headers: answer, text }))
    stream.on('error', reject)
    if (body === undefined) stream.end()
    else stream.end(body)
  })
}

const query = (session: ClientHttp2Session, text: string, headers: Record<string, string> = {}) =>
  ask(
    session,
    { ':method': 'POST', ':path': '/graphql', ...JSON_BODY, ...headers },
    JSON.stringify({ query: text }),
  )

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
let router: TestRouter

async function sessionOn({ url }: TestRouter): Promise<ClientHttp2Session> {
  const session = connect(url)
  session.on('error', () => {})
  await once(session, 'connect')
  return session
}

async function over<Result>(
  target: TestRouter,
  use: (session: ClientHttp2Session) => Promise<Result>,
): Promise<Result> {
  const session = await sessionOn(target)
  try {
    return await use(session)
  } finally {
    session.destroy()
  }
}

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
  router = stack.use(await routerOn(world, { settings: 'limits: { max_body_size: 2KiB }' }))
  await router.ready
})
afterAll(() => stack.disposeAsync())

describe('a header that must not be repeated', () => {
  it.each([
    ['authorization', 'Bearer a', 'Bearer b'],
    ['content-type', 'application/json', 'text/plain'],
  ])('makes a request over HTTP/2 be refused: %s', async (name, ...values) => {
    // The types do not know the option yet.
    const asWritten: object = { strictSingleValueFields: false }
    const session = connect(router.url, asWritten)
    const required = [':method', 'POST', ':path', '/graphql', ':scheme', 'http', ':authority', 'a.example']
    const stream = session.request([...required, ...values.flatMap((value) => [name, value])])
    stream.end('{"query":"{ __typename }"}')
    const text = await readText(stream)
    session.destroy()
    expect(text).toContain('"code":"BAD_REQUEST"')
    expect(text.toLowerCase()).toContain(`more than one ${name} header`)
  })
})

describe('the protocol of a connection', () => {
  it.each([
    ['GET / HTTP/1.1\r\n', 'http/1'],
    ['P', null],
    ['PR', null],
    ['PROPFIND / HTTP/1.1', 'http/1'],
    ['POST / HTTP/1.1', 'http/1'],
    [PREFACE.slice(0, -1), null],
    [PREFACE, 'http/2'],
    [`${PREFACE}more`, 'http/2'],
    ['PRI * HTTP/2.0\r\n\r\nXX', 'http/1'],
    ['\u0016\u0003\u0001', 'http/1'],
  ] as const)('is told from %j', (bytes, protocol) => {
    expect(protocolOf(Buffer.from(bytes, 'latin1'))).toBe(protocol)
  })

  it('is found out however its first bytes are cut', async () => {
    const request = 'POST /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    for (const cut of [1, 2, 3, 5, 20]) {
      expect(await inPieces([request.slice(0, cut), request.slice(cut)])).toMatch(/^HTTP\/1\.1 405 /)
    }
    expect(await inPieces(['PRI * HTTP/2.0\r\n', '\r\nXX\r\n\r\n'])).toMatch(/^HTTP\/1\.1 400 /)
    const emptySettings = '\0\0\0\u0004\0\0\0\0\0'
    for (const cut of [1, 3, 14, 23]) {
      // The first frame of a server that speaks HTTP/2 are its settings: type 4, stream 0.
      const answer = await inPieces([PREFACE.slice(0, cut), PREFACE.slice(cut) + emptySettings], 9)
      expect([...Buffer.from(answer, 'latin1').subarray(3)]).toEqual([4, 0, 0, 0, 0, 0])
    }
  })

  it('need not be found out when a client leaves at once', async () => {
    for (const bytes of ['', 'PR']) {
      const socket = connectTcp(router.port, '127.0.0.1')
      socket.end(bytes)
      await once(socket.resume(), 'close')
    }
    expect((await post(router, { query: '{ version }' })).status).toBe(200)
  })
})

/** Sends each piece once the one before has arrived; gives the first `enough` bytes, or all until the end. */
async function inPieces(pieces: readonly string[], enough = Number.POSITIVE_INFINITY): Promise<string> {
  const socket = connectTcp({ port: router.port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let answer = ''
  const done = Promise.withResolvers<void>()
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
    if (answer.length >= enough) done.resolve()
  })
  socket.on('close', () => done.resolve())
  for (const piece of pieces) {
    socket.write(Buffer.from(piece, 'latin1'))
    await post(router, { query: '{ version }' })
  }
  await done.promise
  socket.destroy()
  return answer.slice(0, enough)
}

describe('HTTP/2 on the port of HTTP/1.1', () => {
  it('gives the same answers with the same headers', async () => {
    const cases = [
      { query: '{ version topProducts { upc reviews { body } } }' },
      { query: '{ fails }' },
      { query: '{' },
      { query: '{ nope }' },
    ]
    for (const body of cases) {
      const headers = {
        accept: 'application/graphql-response+json',
        'x-feature-flag': 'next',
        'x-request-id': 'r-1',
      }
      const one = await post(router, body, headers)
      const two = await over(router, (session) => query(session, body.query, headers))
      expect([two.headers[':status'], two.text]).toEqual([one.status, one.text])
      const { date: _, connection: __, 'keep-alive': ___, ...expected } = one.headers
      const { date: ____, ':status': _____, ...actual } = two.headers
      expect(Object.fromEntries(Object.entries(actual))).toEqual(expected)
    }
  })

  it('serves GET, health, and refuses what HTTP/1.1 refuses', async () => {
    await over(router, async (session) => {
      const status = async (headers: Record<string, string>, body?: string) => {
        const { headers: received, text } = await ask(session, headers, body)
        return [received[':status'], JSON.parse(text).errors?.[0].extensions.code]
      }
      const get = { ':path': '/graphql?query=%7Bversion%7D' }
      expect(await status(get)).toEqual([200, undefined])
      const cookie = { cookie: 'session=1' }
      expect(await status({ ...get, ...cookie })).toEqual([403, 'CSRF_PREVENTED'])
      expect(await status({ ...get, ...cookie, 'x-requested-with': 'x' })).toEqual([200, undefined])
      expect(await status({ ':path': '/health/ready' })).toEqual([200, undefined])
      expect(await status({ ':path': '/nothing' })).toEqual([404, 'NOT_FOUND'])
      const sent = { ':method': 'POST', ':path': '/graphql', ...JSON_BODY }
      expect(await status(sent, '{')).toEqual([400, 'BAD_REQUEST'])
      expect(await status(sent, ' '.repeat(3000))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
      expect(await status({ ...sent, 'content-type': 'text/plain' }, '{}')).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ])
      expect(await status({ ...get, 'x-large': 'x'.repeat(40_000) })).toEqual([431, 'HEADERS_TOO_LARGE'])
      // Nothing of this cost the connection.
      expect(await status(get)).toEqual([200, undefined])
    })
  })

  it('passes headers on to subgraphs by the same rules, and goes on with the trace', async () => {
    await using passing = await routerOn(world, { settings: 'headers: { request: [{ propagate: x-mine }] }' })
    await passing.ready
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const reply = await over(passing, (session) =>
      query(session, '{ header(name: "x-mine") trace: header(name: "traceparent") }', {
        'x-mine': 'yes',
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      }),
    )
    const { data } = JSON.parse(reply.text)
    expect(data.header).toBe('yes')
    expect(data.trace).toContain(traceId)
  })

  it('answers many requests of one connection at the same time', async () => {
    await over(router, async (session) => {
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, index) => query(session, `{ a${index}: version }`)),
      )
      for (const [index, reply] of replies.entries())
        expect(reply.text).toBe(`{"data":{"a${index}":"products"}}`)
    })
  })

  it('gives subgraph calls up when the client resets its stream', async () => {
    const before = shop.products.requests.length
    const session = await sessionOn(router)
    const stream = session.request({ ':method': 'POST', ':path': '/graphql', ...JSON_BODY })
    stream.on('error', () => {})
    stream.end(JSON.stringify({ query: 'query Left { slow(milliseconds: 20000) }' }))
    await until(() => shop.products.requests.length > before, 'the subgraph is called')
    stream.close(8)
    await until(() => shop.products.requests[before]?.aborted, 'the call is given up')
    const line = await until(
      () => router.logs.find(({ operation }) => operation === 'Left'),
      'the request is logged',
    )
    expect(line).toMatchObject({ event: 'request.answered', aborted: true })
    expect((await query(session, '{ version }')).headers[':status']).toBe(200)
    session.destroy()
  })

  it('is not kept waiting by a client that leaves in the middle of its body', async () => {
    const session = await sessionOn(router)
    const stream = session.request({
      ':method': 'POST',
      ':path': '/graphql',
      'x-feature-flag': 'half-a-body',
      ...JSON_BODY,
    })
    stream.on('error', () => {})
    stream.write('{"query"')
    expect((await query(session, '{ version }')).headers[':status']).toBe(200)
    const seen = router.logs.length
    session.destroy()
    const line = await until(() => router.logs.slice(seen).find(({ aborted }) => aborted), 'it is logged')
    expect(line).toMatchObject({ status: 0 })
  })

  it('ends bodies that do not arrive, clients that say nothing, and connections that nobody uses', async () => {
    await using strict = await routerOn(world, {
      settings: 'traffic: { headers_timeout: 400ms, request_timeout: 600ms, keep_alive_timeout: 500ms }',
    })
    await strict.ready
    await over(strict, async (session) => {
      const stream = session.request({ ':method': 'POST', ':path': '/graphql', ...JSON_BODY })
      stream.write('{')
      const [headers] = await once(stream, 'response')
      expect(headers[':status']).toBe(408)
      if (!session.closed) await once(session, 'goaway')
    })
    for (const bytes of ['', 'PR']) {
      const socket = connectTcp(strict.port, '127.0.0.1')
      socket.write(bytes)
      expect(await textUntilEnd(socket)).toMatch(/^HTTP\/1\.1 408 /)
    }
  })
})

async function textUntilEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  await once(socket, 'close')
  return text
}

describe('a router that stops', () => {
  it('finishes the requests in progress of both protocols, and sends their clients elsewhere', async () => {
    await using own = new AsyncDisposableStack()
    const gate = own.use(await startGate(shop.products.url))
    const held = own.use(await ConfigWorld.create())
    await held.publish({
      revision: 1,
      base: buildArtifact('base', { products: gate.url, reviews: shop.reviews.url }),
    })
    const stopping = await routerOn(held)
    await stopping.ready
    gate.close()
    const session = await sessionOn(stopping)
    const gone = once(session, 'goaway')
    const two = query(session, '{ version }')
    const one = post(stopping, { query: '{ version }' }, { 'cache-control': 'no-cache' })
    await until(() => gate.held.count === 2, 'both are in progress')
    const stopped = stopping[Symbol.asyncDispose]()
    await gone
    const refused = await over(stopping, (late) => query(late, '{ version }'))
    expect([refused.headers[':status'], refused.text]).toEqual([503, expect.stringContaining('DRAINING')])
    expect((await send(`${stopping.url}/graphql?query=x`)).headers.connection).toBe('close')
    gate.open()
    expect((await two).text).toBe('{"data":{"version":"products"}}')
    expect((await one).text).toBe('{"data":{"version":"products"}}')
    await stopped
    await expect(sessionOn(stopping)).rejects.toThrow()
  })

  it('ends connections of both protocols at the limit of draining', async () => {
    const stopping = await routerOn(world, { settings: 'shutdown: { drain_timeout: 100ms }' })
    await stopping.ready
    const session = await sessionOn(stopping)
    const before = shop.products.requests.length
    const cut = query(session, '{ slow(milliseconds: 20000) }').catch((error: unknown) => error)
    await until(() => shop.products.requests.length > before, 'it is in progress')
    const idle = connectTcp(stopping.port, '127.0.0.1')
    await once(idle, 'connect')
    await stopping[Symbol.asyncDispose]()
    await cut
    await until(() => shop.products.requests[before]?.aborted, 'the call is given up')
  })
})

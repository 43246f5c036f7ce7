/**
 * Clients that stop reading. None of what is ready for them may hold a composition, a subgraph call or memory
 * for ever.
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect as connectHttp2, constants } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { createCertificate } from '@switchyard/testkit'
import { ConfigWorld } from '../support/config-world.ts'
import type { Gate } from '../support/gate.ts'
import { DEFERRING, gatedWorld } from '../support/gated-world.ts'
import { data, type RawSubgraph, startRawSubgraph } from '../support/ledger.ts'
import { posted } from '../support/raw-http.ts'
import { type LogLine, post, routerOn, type TestRouter, until } from '../support/router.ts'
import { http2SessionOn, overHttp1, overHttp2 } from '../support/streams.ts'
import { listenOnFreePort, startSubgraph } from '../support/subgraph.ts'

/** More than systems take on behalf of a client that does not read. */
const LARGE = 'x'.repeat(24 * 1024 * 1024)
const WHOLE = 'query Whole { product(upc: "1") { name } }'
const DEFERRED = 'query Deferred { product(upc: "1") { name ...@defer { reviews { body } } } }'

const stack = new AsyncDisposableStack()
let products: RawSubgraph
let gate: Gate
let world: ConfigWorld
let router: TestRouter

beforeAll(async () => {
  products = stack.use(await startRawSubgraph())
  const reviews = stack.use(await startSubgraph('reviews'))
  const gated = await gatedWorld(stack, { products: products.url, reviews: reviews.url })
  gate = gated.gate
  world = gated.world
  router = stack.use(await start('500ms'))
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  gate.open()
  named(LARGE)
})

async function start(limit: string, more = '', isSecure = false): Promise<TestRouter> {
  const { cert, key } = createCertificate()
  const file = (name: string) => join(world.directory, name)
  await Promise.all([writeFile(file('cert'), cert), writeFile(file('key'), key)])
  const tls = isSecure ? `\ntls: { cert_file: ${file('cert')}, key_file: ${file('key')} }` : ''
  const settings = `${DEFERRING}\ntraffic: { write_timeout: ${limit}${more} }${tls}`
  const started = await routerOn(world, { settings })
  await started.ready
  return started
}

function named(name: string): void {
  products.answers(data(`{"product":{"__typename":"Product","upc":"1","name":"${name}"}}`))
}

/** Sends a request and reads nothing. */
function deafOverHttp1(query: string, target = router): Socket {
  const socket = connect(target.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(posted(query))
  return socket
}

const REQUEST = { ':method': 'POST', ':path': '/graphql', 'content-type': 'application/json' }

async function stalledSince(seen: number): Promise<LogLine> {
  return until(() => router.logs.slice(seen).find(({ stalled }) => stalled), 'the client is given up')
}

describe('a client that reads nothing for the write time-out', () => {
  it.each([
    ['a whole answer', WHOLE, undefined],
    ['a stream', DEFERRED, 1],
  ])('loses its connection in the middle of %s over HTTP/1.1', async (_, query, parts) => {
    const seen = router.logs.length
    const socket = deafOverHttp1(query)
    const line = await stalledSince(seen)
    expect(line).toMatchObject({
      event: 'request.answered',
      level: 'info',
      status: 200,
      aborted: true,
      msg: expect.stringContaining('traffic.write_timeout'),
    })
    expect(line['parts']).toBe(parts)
    let length = 0
    socket.on('data', (chunk: Buffer) => (length += chunk.length))
    await once(socket, 'close')
    expect(length).toBeLessThan(LARGE.length)
  })

  it.each([
    ['a whole answer', WHOLE],
    ['a stream', DEFERRED],
  ])('loses %s of HTTP/2, and nothing else of its connection', async (_, query) => {
    const seen = router.logs.length
    using session = await http2SessionOn(router)
    const deaf = session.request(REQUEST)
    deaf.on('error', () => {})
    const closed = once(deaf, 'close')
    deaf.end(JSON.stringify({ query }))
    await once(deaf, 'response')
    await stalledSince(seen)
    named('Table')
    const other = await overHttp2(session, DEFERRED)
    expect(await other.next()).toMatchObject({ data: { product: { name: 'Table' } } })
    await closed
    expect(deaf.rstCode).toBe(constants.NGHTTP2_CANCEL)
  })

  it('loses everything where nothing is read of an HTTP/2 connection at all', async () => {
    await using router = await start('500ms', ', keep_alive_timeout: 500ms, headers_timeout: 500ms')
    // Between the two, somebody who stops passing bytes on.
    let toRouter: Socket | undefined
    const between = createServer((fromClient) => {
      toRouter = connect(router.port, '127.0.0.1')
      fromClient.pipe(toRouter).pipe(fromClient)
      for (const socket of [fromClient, toRouter]) socket.on('error', () => {})
    })
    await using closing = new AsyncDisposableStack()
    const port = await listenOnFreePort(between)
    closing.defer(() => void between.close())
    const session = connectHttp2(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 2 ** 30 } })
    session.on('error', () => {})
    closing.defer(() => session.destroy())
    await Promise.all([once(session, 'connect'), once(session, 'localSettings')])
    session.setLocalWindowSize(2 ** 30)
    toRouter?.unpipe()
    toRouter?.pause()
    const streams = [WHOLE, DEFERRED].map((query) => {
      const stream = session.request(REQUEST)
      stream.on('error', () => {})
      stream.end(JSON.stringify({ query }))
      return stream
    })
    await until(
      () => router.logs.filter(({ stalled }) => stalled).length === streams.length,
      'both are given up',
    )
    // The connection, too, once nobody uses it any more.
    if (toRouter === undefined) throw new Error('Nobody came.')
    await once(toRouter.resume(), 'close')
  })

  it('loses its connection over TLS', async () => {
    await using router = await start('500ms', '', true)
    const socket = connectTls({ port: router.port, host: '127.0.0.1', rejectUnauthorized: false }).pause()
    socket.on('error', () => {})
    socket.write(posted(WHOLE))
    await until(() => router.logs.find(({ stalled }) => stalled), 'the client is given up')
    socket.destroy()
  })

  it('holds no composition any longer', async () => {
    const own = await ConfigWorld.create()
    await using _ = own
    const composed = (path: string) =>
      buildArtifact('base', { products: `${products.url}?${path}`, reviews: gate.url })
    await own.publish({ revision: 1, base: composed('a') })
    await using swapped = await routerOn(own, { settings: 'traffic: { write_timeout: 300ms }' })
    await swapped.ready
    const outgoing = httpRequest(swapped.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    outgoing.on('error', () => {})
    outgoing.end(JSON.stringify({ query: WHOLE }))
    const [response] = await once(outgoing, 'response')
    response.on('error', () => {})
    await own.publish({ revision: 2, base: composed('b') })
    await until(
      () => swapped.logs.find(({ event }) => event === 'generation.released'),
      'the composition is released',
    )
    expect(swapped.logs.some(({ stalled }) => stalled)).toBe(true)
    outgoing.destroy()
  })
})

describe('a router that stops', () => {
  it('waits for clients that do not read no longer than for others', async () => {
    const settings = 'traffic: { write_timeout: 10m }\nshutdown: { drain_timeout: 100ms }'
    const stopping = await routerOn(world, { settings })
    await stopping.ready
    const session = await http2SessionOn(stopping)
    const deaf = session.request(REQUEST)
    deaf.on('error', () => {})
    deaf.end(JSON.stringify({ query: WHOLE }))
    const socket = deafOverHttp1(WHOLE, stopping)
    await Promise.all([once(deaf, 'response'), once(socket, 'readable')])
    await stopping[Symbol.asyncDispose]()
    expect(stopping.logs.find(({ event }) => event === 'router.drain-limit')).toMatchObject({ inFlight: 2 })
    for (const client of [session, socket]) client.destroy()
  })
})

/** The write time-out for clients that are only slow, and how long these wait between two bits. */
const PATIENCE_MS = 2000
const PAUSE_MS = 150

/** A twentieth of the answer at a time, so that it takes longer than the time-out in all. */
async function readBitByBit(target: TestRouter, protocol: string) {
  const isSecure = protocol.endsWith('TLS')
  await using closing = new AsyncDisposableStack()
  const session = connectHttp2(target.url, { rejectUnauthorized: false })
  closing.defer(() => session.destroy())
  session.on('error', () => {})
  const began = performance.now()
  const stream =
    protocol === 'HTTP/2'
      ? session.request(REQUEST)
      : (isSecure ? httpsRequest : httpRequest)(target.graphqlUrl, {
          method: 'POST',
          rejectUnauthorized: false,
          agent: false,
          headers: { 'content-type': 'application/json' },
        })
  stream.end(JSON.stringify({ query: WHOLE }))
  const [response] = await once(stream, 'response')
  const body: AsyncIterable<Buffer> = protocol === 'HTTP/2' ? stream : response
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length * 20 > LARGE.length * ((performance.now() - began) / PAUSE_MS)) await delay(PAUSE_MS)
  }
  return { length, milliseconds: performance.now() - began }
}

const ATTEMPTS = 5

/**
 * Client and router are in one process. Where the machine lets it stand still for about as long as the
 * time-out, the client cannot read and the router cannot see it read: nothing is learned about either, and it
 * is tried again.
 */
async function whileAwake<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let number = 1; ; number++) {
    const standstill = monitorEventLoopDelay({ resolution: 10 })
    standstill.enable()
    const [settled] = await Promise.allSettled([attempt()])
    standstill.disable()
    if (number < ATTEMPTS && standstill.max / 1e6 > PATIENCE_MS / 2) continue
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
}

describe('a client that is kept waiting, or is slow', () => {
  it.each(['HTTP/1.1', 'HTTP/2'])(
    'of %s keeps its stream while a subgraph takes longer than the write time-out',
    async (protocol) => {
      named('Table')
      gate.close()
      using session = await http2SessionOn(router)
      const stream = await (protocol === 'HTTP/2'
        ? overHttp2(session, DEFERRED)
        : overHttp1(router, DEFERRED))
      expect(await stream.next()).toMatchObject({ hasNext: true })
      named(LARGE)
      // Two clients that are given up one after the other: so much time has gone by.
      for (const query of [WHOLE, DEFERRED]) {
        const seen = router.logs.length
        const deaf = deafOverHttp1(query)
        await stalledSince(seen)
        deaf.destroy()
      }
      gate.open()
      expect(await stream.next()).toMatchObject({ hasNext: false })
      expect(await stream.next()).toBeNull()
    },
  )

  it.each(['HTTP/1.1', 'HTTP/1.1 over TLS', 'HTTP/2'])(
    'of %s gets all of its answer, bit by bit',
    async (protocol) => {
      const isSecure = protocol.endsWith('TLS')
      await using patient = await start(`${PATIENCE_MS}ms`, '', isSecure)
      const read = await whileAwake(() => readBitByBit(patient, protocol))
      expect(read.length).toBe(`{"data":{"product":{"name":"${LARGE}"}}}`.length)
      // Otherwise it was not slow.
      expect(read.milliseconds).toBeGreaterThan(PATIENCE_MS)
    },
  )

  it('is answered as ever on a connection that was kept', async () => {
    named('Table')
    for (let index = 0; index < 3; index++)
      expect((await post(router, { query: WHOLE })).json.data).toEqual({ product: { name: 'Table' } })
  })
})

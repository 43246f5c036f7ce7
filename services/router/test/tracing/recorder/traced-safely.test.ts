/** What a trace must not do: tell secrets, grow without end, outlive its request. */
import { fetchesOf, parseTrace } from '@switchyard/request-trace'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadWatch, type RequestLoads } from '../../../src/transport/load/load-watch.ts'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { type Gate, startGate } from '../../support/gate.ts'
import { data, startLedger } from '../../support/ledger.ts'
import { routerOn, type TestRouter, until } from '../../support/router.ts'
import { http2SessionOn, overHttp1, overHttp2 } from '../../support/streams.ts'
import { startSubgraph } from '../../support/subgraph.ts'
import { traced, TRACED } from './traced.ts'

const DEFERRED = '{ product(upc: "1") { name ...@defer(label: "r") { reviews { body } } } }'

const stack = new AsyncDisposableStack()
let gate: Gate
let world: ConfigWorld
let router: TestRouter

beforeAll(async () => {
  const products = stack.use(await startSubgraph('products'))
  const reviews = stack.use(await startSubgraph('reviews'))
  gate = stack.use(await startGate(reviews.url))
  world = stack.use(await ConfigWorld.create())
  await world.publish({
    revision: 1,
    base: buildArtifact('base', { products: products.url, reviews: gate.url }),
  })
  router = stack.use(
    await routerOn(world, { settings: '{ dev_mode: true, engine: { enable_defer: true } }' }),
  )
  await router.ready
})
afterAll(() => stack.disposeAsync())
beforeEach(() => gate.open())

/** The observations of traced requests that have begun and were not given back. */
const watched = new Set<RequestLoads>()
const isWatching = () => watched.size > 0

beforeAll(() => {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own object below
  const { begin } = LoadWatch.prototype
  const spy = vi.spyOn(LoadWatch.prototype, 'begin').mockImplementation(function (this: LoadWatch) {
    const loads = begin.call(this)
    const observed: RequestLoads = {
      dispatch: (...call) => loads.dispatch(...call),
      [Symbol.dispose]() {
        watched.delete(observed)
        loads[Symbol.dispose]()
      },
    }
    watched.add(observed)
    return observed
  })
  stack.defer(() => spy.mockRestore())
})

describe('a trace', () => {
  it('shows no secret of the request, wherever it went', async () => {
    await using ledger = await startLedger(`
dev_mode: true
headers: { request: [{ propagate: authorization }] }
`)
    const secret = 'Zx81-not-for-eyes'
    ledger.ledger.answers((body, response) => {
      const seen = JSON.stringify({ data: { echo: `you sent ${body.length} bytes and ${secret}` } })
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': `s=${secret}` }).end(seen)
    })
    const { reply, trace } = await traced(
      ledger.router,
      { query: 'query ($password: JSON) { echo(value: $password) }', variables: { password: secret } },
      { authorization: `Bearer ${secret}`, cookie: `session=${secret}`, 'x-api-key': secret },
    )
    expect(JSON.stringify(reply.json.data)).toContain(secret)
    expect(JSON.stringify(trace)).not.toContain(secret)
    expect(trace.request.headers).toMatchObject({ authorization: '[redacted]', cookie: '[redacted]' })
    expect(trace.request.body.variables).toEqual({ password: '[redacted]' })
  })

  it('is no larger than it may be: what is large is said to be so', async () => {
    await using ledger = await startLedger('{ dev_mode: true, tracing: { max_size: 20KiB } }')
    ledger.ledger.answers(data(JSON.stringify({ echo: 'long '.repeat(20_000) })))
    const { reply, trace, fetches } = await traced(ledger.router, { query: '{ echo(id: "a") }' })
    expect(String(reply.json.data?.['echo'])).toHaveLength(100_000)
    expect(Buffer.byteLength(JSON.stringify(trace))).toBeLessThanOrEqual(20 * 1024)
    expect(fetches[0]?.trace.output).toEqual({ truncated: expect.any(Number) })
    expect(fetches[0]?.trace.input).toHaveProperty('body')
  })

  it('comes over HTTP/2, without what is not a header', async () => {
    using session = await http2SessionOn(router)
    const stream = await overHttp2(session, DEFERRED, TRACED)
    const first = parseTrace(await stream.next())
    expect(Object.keys(first.request.headers).filter((name) => name.startsWith(':'))).toEqual([])
    expect(first.request).toMatchObject({ method: 'POST', url: '/graphql' })
    expect(fetchesOf(parseTrace(await stream.next()))).toHaveLength(2)
  })

  it('tells how far it came when the router stops before all parts are delivered', async () => {
    await using stopping = await routerOn(world, {
      settings: '{ dev_mode: true, engine: { enable_defer: true }, shutdown: { drain_timeout: 100ms } }',
    })
    await stopping.ready
    gate.close()
    const stream = await overHttp1(stopping, DEFERRED, TRACED)
    parseTrace(await stream.next())
    await until(() => gate.held.count > 0, 'the deferred call has begun')
    const stopped = stopping[Symbol.asyncDispose]()
    const last = await stream.next()
    expect(last).toMatchObject({ completed: [{ id: '1' }], hasNext: false })
    const [, deferred] = fetchesOf(parseTrace(last))
    expect(deferred).toMatchObject({ defer_id: '1', trace: { input: { method: 'POST' } } })
    expect(deferred?.trace).not.toHaveProperty('output')
    await stopped
  })
})

describe('what is needed for a trace', () => {
  it('is given back when the answer is complete', async () => {
    await traced(router, { query: '{ version }' })
    await until(() => !isWatching(), 'no call is watched')
  })

  it('is given back when the client leaves', async () => {
    gate.close()
    const apart = { ...TRACED, 'cache-control': 'no-cache' }
    const streams = await Promise.all([1, 2].map(() => overHttp1(router, DEFERRED, apart)))
    for (const stream of streams) await stream.next()
    await until(() => gate.held.count === 2, 'the deferred calls have begun')
    expect(isWatching()).toBe(true)
    for (const stream of streams) stream.leave()
    await until(() => !isWatching(), 'no call is watched')
  })
})

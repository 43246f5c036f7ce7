/** Fetches of requests that differ, for which subgraphs would be sent the same, over HTTP. */
import { request as httpRequest } from 'node:http'
import { fetchesOf, type TraceFetch } from '@switchyard/request-trace'
import { createLogger, openPropagation } from '@switchyard/service-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { type HeldSubgraph, startHeldSubgraph } from '../support/held-subgraph.ts'
import {
  post,
  type Reply,
  routerOn,
  type TestRouter,
  type TestRouterOptions,
  until,
} from '../support/router.ts'
import { traceIn } from '../tracing/recorder/traced.ts'

const MUTATION = { query: 'mutation { rename(upc: "1", name: "x") { name } }' }
const RULES = 'headers: { request: [{ propagate: x-user }] }'
const TRACING = 'engine: { force_unauthenticated_request_tracing: true }'
const BOTH = 'engine: { force_unauthenticated_request_tracing: true, enable_defer: true }'
const NEXT = { 'x-feature-flag': 'next' }

/** Another document each time, which is answered by the same fetch. */
let documents = 0
const query = () => ({ query: `query Name { product(upc: "1") { name } }${' '.repeat(++documents)}` })

const stack = new AsyncDisposableStack()
let world: ConfigWorld
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
})
afterAll(() => stack.disposeAsync())

let revision = 0
async function started(use: AsyncDisposableStack, settings = RULES, options: TestRouterOptions = {}) {
  const products = use.use(await startHeldSubgraph())
  const urls = { products: products.url, reviews: products.url }
  const base = buildArtifact('base', urls)
  await world.publish({ revision: ++revision, base, flags: { next: buildArtifact('next', urls) } })
  const router = use.use(await routerOn(world, { settings, ...options }))
  await router.ready
  return { router, products }
}

const name = ({ json }: Reply) => (json.data?.['product'] as { name: string } | undefined)?.name
const codes = ({ json }: Reply) => json.errors?.map(({ extensions }) => extensions['code'])
const inFlight = (products: HeldSubgraph, count: number) =>
  until(() => products.calls.length === count, `${count} calls are made`)

/** Sends a request that joins a call in flight: it has been read, and no call was made for it. */
async function joining(router: TestRouter, products: HeldSubgraph, headers = {}, body = query()) {
  const [calls, requests] = [products.calls.length, router.activeRequests()]
  const reply = post(router, body, headers)
  await until(() => router.activeRequests() === requests + 1, 'the request is read')
  // What comes after it, by the same composition, has its call made: then it has none.
  const sent = { query: `{ product(upc: "sentinel-${++documents}") { name } }` }
  const last = post(router, sent, headers)
  await inFlight(products, calls + 1)
  const sentinel = products.calls.at(-1)
  expect(sentinel?.body).toContain('sentinel')
  sentinel?.answer()
  await last
  return { reply: () => reply }
}

describe('fetches for which the same would be sent', () => {
  it('are one call while it is in flight, and never after that', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const first = post(router, query(), { 'x-request-id': 'first' })
    await inFlight(products, 1)
    const second = await joining(router, products, { 'x-request-id': 'second' })
    expect(products.calls[0]?.headers['x-request-id']).toBe('first')
    products.calls[0]?.answer()
    expect([await first, await second.reply()].map(name)).toEqual(['1 of nobody', '1 of nobody'])
    const later = post(router, query())
    await inFlight(products, 3)
    products.calls[2]?.answer()
    expect(name(await later)).toBe('3 of nobody')
    const logged = router.logs.filter(({ event }) => event === 'request.answered')
    expect(logged.map(({ joined }) => joined)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('are one call for several compositions', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const first = post(router, query(), NEXT)
    await inFlight(products, 1)
    const second = await joining(router, products)
    products.calls[0]?.answer()
    expect([await first, await second.reply()].map(name)).toEqual(['1 of nobody', '1 of nobody'])
  })

  it('are one call for answers in parts, with a trace or without', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use, BOTH)
    const deferred = () => ({
      query: `{ product(upc: "1") { name ... @defer { reviews { body } } } }${' '.repeat(++documents)}`,
    })
    const accept = { accept: 'multipart/mixed' }
    const first = post(router, deferred(), accept)
    await inFlight(products, 1)
    const second = await joining(router, products, { ...accept, 'x-vendor-trace': 'true' }, deferred())
    products.answerAll()
    for (const { text } of [await first, await second.reply()]) expect(text).toContain('1 of nobody')
  })
})

describe('fetches are calls of their own', () => {
  it.each([
    ['for users that subgraphs tell apart', RULES, { 'x-user': 'anna' }, { 'x-user': 'otto' }],
    ['for a user and nobody', RULES, { 'x-user': 'anna' }, {}],
    ['for who takes no answer of others', RULES, {}, { 'cache-control': 'no-cache' }],
    ['for who gives no answer to others', RULES, { 'cache-control': 'no-store' }, {}],
    [
      'for users whose names go where the id of the request was',
      'headers: { request: [{ propagate: x-user, rename: x-request-id }] }',
      { 'x-user': 'anna', 'x-request-id': 'anna' },
      { 'x-user': 'otto', 'x-request-id': 'otto' },
    ],
    ['where requests share nothing', 'traffic: { share_inflight: false }', {}, {}],
    ['where that is the setting', 'subgraphs: { share_inflight: false }', {}, {}],
  ])('%s', async (_, settings, one, other) => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use, settings)
    const first = post(router, query(), one)
    await inFlight(products, 1)
    const second = post(router, query(), other)
    await inFlight(products, 2)
    products.answerAll()
    const names = (await Promise.all([first, second])).map(name)
    expect(names.map((each) => each?.slice(0, 4))).toEqual(['1 of', '2 of'])
  })

  it('for requests with other baggage, which is handed on', async () => {
    await using use = new AsyncDisposableStack()
    const logger = createLogger({ name: 'router', to: { write() {} } })
    const propagation = await openPropagation({ OTEL_PROPAGATORS: 'tracecontext,baggage' }, logger)
    const { router, products } = await started(use, RULES, { propagation })
    const first = post(router, query(), { baggage: 'user=anna' })
    await inFlight(products, 1)
    const second = post(router, query(), { baggage: 'user=otto' })
    await inFlight(products, 2)
    expect(products.calls.map(({ headers }) => headers['baggage'])).toEqual(['user=anna', 'user=otto'])
    products.answerAll()
    await Promise.all([first, second])
  })

  it('of mutations', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const replies = [post(router, MUTATION), post(router, MUTATION)]
    await inFlight(products, 2)
    products.answerAll()
    await Promise.all(replies)
  })

  it('after a mutation, of whose effect they read', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const before = post(router, query())
    await inFlight(products, 1)
    const mutation = post(router, MUTATION)
    await inFlight(products, 2)
    products.calls[1]?.answer()
    await mutation
    const after = post(router, query())
    await inFlight(products, 3)
    products.answerAll()
    expect((await Promise.all([before, after])).map(name)).toEqual(['1 of nobody', '3 of nobody'])
  })
})

describe('when a call that fetches share goes wrong', () => {
  it('each of them fails, by the name that its subgraph has for it', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const first = post(router, query())
    await inFlight(products, 1)
    const second = await joining(router, products, NEXT)
    products.calls[0]?.breakOff()
    const replies = [await first, await second.reply()]
    expect(replies.map(codes)).toEqual([['SUBGRAPH_UNREACHABLE'], ['SUBGRAPH_UNREACHABLE']])
    expect(replies.map(({ json }) => json.errors?.[0]?.message)).toEqual([
      'Subgraph "products" could not be reached.',
      'Subgraph "products-next" could not be reached.',
    ])
    const failures = router.logs.filter(({ event }) => event === 'subgraph.failed')
    expect(failures.map(({ subgraph, joined }) => [subgraph, joined])).toEqual([
      ['products', undefined],
      ['products-next', true],
    ])
  })

  it('each has its own time: that of the first may be over, and others get the answer', async () => {
    await using use = new AsyncDisposableStack()
    const settings = 'subgraphs: { overrides: { products-next: { timeout: 1s } } }'
    const { router, products } = await started(use, settings)
    const first = post(router, query(), NEXT)
    await inFlight(products, 1)
    const second = await joining(router, products)
    expect(codes(await first)).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(products.calls[0]?.isGone).toBe(false)
    products.calls[0]?.answer()
    expect(name(await second.reply())).toBe('1 of nobody')
  })

  it('the client of the first may leave, and others get the answer; with the last one the call ends', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const first = leaving(router)
    await inFlight(products, 1)
    const second = await joining(router, products)
    first.destroy()
    await until(() => router.activeRequests() === 1, 'the first one has left')
    expect(products.calls[0]?.isGone).toBe(false)
    products.calls[0]?.answer()
    expect(name(await second.reply())).toBe('1 of nobody')
    const both = [leaving(router)]
    await inFlight(products, 3)
    both.push(leaving(router))
    await until(() => router.activeRequests() === 2, 'both are in flight')
    for (const each of both) each.destroy()
    await until(() => products.calls[2]?.isGone, 'the call is given up')
    expect(products.calls).toHaveLength(3)
  })

  function leaving(router: TestRouter) {
    const headers = { 'content-type': 'application/json' }
    const outgoing = httpRequest(router.graphqlUrl, { method: 'POST', headers, agent: false })
    outgoing.on('error', () => {})
    outgoing.end(JSON.stringify(query()))
    return outgoing
  }
})

describe('the trace of a fetch', () => {
  const TRACED = { 'x-vendor-trace': 'true' }
  const flagsOf = ({ trace: { single_flight_used, single_flight_shared_response } }: TraceFetch) => [
    single_flight_used,
    single_flight_shared_response,
  ]
  const fetchIn = (reply: Reply) => {
    const [fetch] = fetchesOf(traceIn(reply))
    if (fetch === undefined) throw new Error('the trace has no fetch')
    return fetch
  }

  it('says whether it joined a call, what was sent with that, and what was answered', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use, `${RULES}\n${TRACING}`)
    const user = { ...TRACED, 'x-user': 'anna' }
    const first = post(router, query(), { ...user, 'x-request-id': 'first' })
    await inFlight(products, 1)
    const second = await joining(router, products, { ...user, 'x-request-id': 'second' })
    products.calls[0]?.answer()
    const [own, joined] = [fetchIn(await first), fetchIn(await second.reply())]
    expect([own, joined].map(flagsOf)).toEqual([
      [true, false],
      [true, true],
    ])
    expect(joined.trace.output).toEqual(own.trace.output)
    const { headers = {} } = joined.trace.input as { headers?: object }
    expect(Object.keys(headers)).toEqual(['content-type', 'accept', 'x-user'])
    expect(joined.trace.duration_load_nanoseconds).toBeGreaterThan(0)
    expect(joined.trace).not.toHaveProperty('load_stats')
  })

  it('says that it shares nothing where its times are to be predictable', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use, TRACING)
    const first = post(router, query())
    await inFlight(products, 1)
    const predictable = { 'x-vendor-trace': 'enable_predictable_debug_timings' }
    const second = post(router, query(), predictable)
    await inFlight(products, 2)
    products.answerAll()
    await first
    expect(flagsOf(fetchIn(await second))).toEqual([false, false])
  })
})

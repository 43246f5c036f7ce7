import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { createLogger, openPropagation } from '@switchyard/service-kit'
import { recordSpans } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { ActiveSpan } from '../../src/observe/spans.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { settingsOf } from '../concerns/authentication/opened.ts'
import { post, routerOn, type TestRouterOptions, until } from '../support/router.ts'
import { startShop } from '../support/shop.ts'
import { newSigningKey, sign, startKeyServer } from '../support/token-issuer.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SAMPLED = { traceparent: `00-${TRACE}-${CALLER}-01` }

async function setUp(options: TestRouterOptions = {}) {
  const stack = new AsyncDisposableStack()
  const spans = stack.use(recordSpans())
  const shop = stack.use(await startShop())
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
  const router = stack.use(await routerOn(world, options))
  await router.ready
  const ended = (name: string) =>
    until(() => spans.finished().findLast((span) => span.name === name), `the span ${name} ends`)
  return { spans, shop, world, router, ended, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

describe('spans', () => {
  it('name the provider by whose keys a token was verified, and nothing of the token', async () => {
    const key = await newSigningKey('one')
    await using server = await startKeyServer(key.publicJwk)
    const settings = JSON.stringify(settingsOf({ jwks: [{ url: server.url }] }))
    await using set = await setUp({ settings })
    const token = await sign(key)
    await post(set.router, { query: '{ version }' }, { ...SAMPLED, authorization: `Bearer ${token}` })
    const request = await set.ended('POST /graphql')
    expect(request.attributes).toMatchObject({ 'switchyard.token.provider': 'shop' })
    const all = JSON.stringify(set.spans.finished().map(({ attributes }) => attributes))
    for (const part of token.split('.')) expect(all).not.toContain(part)
  })

  it('show a request by the conventions for HTTP and GraphQL, with its parts below it', async () => {
    await using set = await setUp()
    const { spans, shop, router, ended } = set
    const query = 'query Top { topProducts { reviews { body } } }'
    await post(router, { query }, { ...SAMPLED, 'x-request-id': 'r-1', 'x-feature-flag': 'next' })
    const request = await ended('POST /graphql')
    expect(request).toMatchObject({ kind: SpanKind.SERVER, parentSpanContext: { spanId: CALLER } })
    expect(request.status.code).toBe(SpanStatusCode.UNSET)
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'url.path': '/graphql',
      'url.scheme': 'http',
      'network.protocol.name': 'http',
      'network.protocol.version': '1.1',
      'graphql.operation.name': 'Top',
      'graphql.operation.type': 'query',
      'switchyard.request.id': 'r-1',
      'switchyard.flag': 'next',
      'switchyard.flag.reason': 'header',
      'switchyard.artifact': expect.stringMatching(/^[0-9a-f]{64}$/),
      'switchyard.revision': 1,
    })
    const below = spans
      .finished()
      .filter((span) => span.parentSpanContext?.spanId === request.spanContext().spanId)
    expect(below.map(({ name, kind }) => [name, kind])).toEqual([
      ['subgraph products-next', SpanKind.CLIENT],
      ['subgraph reviews', SpanKind.CLIENT],
      ['parse and validate', SpanKind.INTERNAL],
      ['plan', SpanKind.INTERNAL],
    ])
    const [, reviews, parse, plan] = below
    expect(reviews?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': shop.reviews.port,
      'url.full': shop.reviews.url,
      'graphql.operation.type': 'query',
      'switchyard.subgraph': 'reviews',
      'switchyard.fetch.id': expect.any(Number),
      'switchyard.fetch.path': ['topProducts'],
    })
    const sent = shop.reviews.requests.at(-1)?.headers.traceparent
    expect(sent).toBe(`00-${TRACE}-${reviews?.spanContext().spanId}-01`)
    const milliseconds = (time: readonly [number, number] = [0, 0]) => time[0] * 1000 + time[1] / 1e6
    expect(milliseconds(parse?.endTime)).toBeCloseTo(milliseconds(plan?.startTime), 3)
  })

  it('show parts that come later, and what was fetched for them', async () => {
    await using set = await setUp({ settings: 'engine: { enable_defer: true }' })
    const { spans, router, ended } = set
    const query = '{ topProducts { name ... @defer { reviews { body } } } }'
    await post(router, { query }, { ...SAMPLED, accept: 'multipart/mixed' })
    const request = await ended('POST /graphql')
    expect(request.attributes).toMatchObject({ 'switchyard.response.parts': 2 })
    expect(request.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['part', { 'switchyard.part': 1, 'switchyard.part.errors': 0 }],
      ['part', { 'switchyard.part': 2, 'switchyard.part.errors': 0 }],
    ])
    const deferred = spans
      .finished()
      .filter(({ attributes }) => attributes['switchyard.fetch.deferred'] === true)
    expect(deferred.map(({ name }) => name)).toEqual(['subgraph reviews'])
  })

  it('tell errors of the router and of subgraphs from requests that are wrong', async () => {
    await using set = await setUp({ settings: 'subgraphs: { allowed_networks: [public] }' })
    const { router, ended } = set
    await post(router, { query: '{ nope }' }, SAMPLED)
    const wrong = await ended('POST /graphql')
    expect(wrong.status.code).toBe(SpanStatusCode.UNSET)
    expect(wrong.attributes).toMatchObject({ 'error.type': 'GRAPHQL_VALIDATION_FAILED' })
    await post(router, { query: '{ version }' }, SAMPLED)
    const call = await ended('subgraph products')
    expect(call.status.code).toBe(SpanStatusCode.ERROR)
    expect(call.attributes).toMatchObject({ 'error.type': 'SUBGRAPH_ADDRESS_NOT_ALLOWED' })
  })

  it('hold nothing that only the client and its subgraphs should know', async () => {
    await using set = await setUp({ settings: 'headers: { request: [{ propagate: authorization }] }' })
    const { spans, router, ended } = set
    await post(
      { graphqlUrl: `${router.graphqlUrl}?hush1=1` },
      {
        query: 'query Q($hush2: String!) { a: header(name: $hush2) b: header(name: "hush3") }',
        variables: { hush2: 'hush4' },
      },
      { ...SAMPLED, authorization: 'hush5', cookie: 'hush6=1', 'user-agent': 'hush7', hush8: 'x' },
    )
    await ended('POST /graphql')
    const texts = spans
      .finished()
      .map(({ name, attributes, events, status }) => JSON.stringify({ name, attributes, events, status }))
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.join('\n')).not.toMatch(/hush\d/)
  })

  it('are made for a request alone that is not sampled, and its trace goes on', async () => {
    await using set = await setUp()
    const { spans, shop, router } = set
    await until(() => spans.finished().some(({ name }) => name === 'config swap'), 'the swap ends')
    const before = spans.finished().length
    await post(router, { query: '{ version }' }, { traceparent: `00-${TRACE}-${CALLER}-00` })
    const sent = shop.products.requests.at(-1)?.headers.traceparent
    expect(sent).toMatch(new RegExp(`^00-${TRACE}-(?!${CALLER})[0-9a-f]{16}-00$`))
    await until(() => router.logs.some(({ event }) => event === 'request.answered'), 'the request ends')
    expect(spans.finished()).toHaveLength(before)
  })

  it('show a swap below the notice', async () => {
    await using set = await setUp()
    const { spans, shop, world } = set
    await world.publish({ revision: 2, base: shop.flag, traceparent: SAMPLED.traceparent })
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'revision 2 is served')
    expect(spans.finished().findLast(({ name }) => name === 'config swap')).toMatchObject({
      parentSpanContext: { spanId: CALLER },
      attributes: { 'switchyard.revision': 2 },
    })
  })
})

describe.each(['kept', 'not kept'])('a linked span where spans are %s', (kept) => {
  it('hands on the baggage of the request, and nothing else of its trace', () => {
    using stack = new DisposableStack()
    if (kept === 'kept') stack.use(recordSpans())
    const context = { traceId: TRACE, spanId: CALLER, traceFlags: 1 }
    const parent = { context, state: 'a=b', baggage: 'user=1' }
    const span = ActiveSpan.begin(trace.getTracer('test'), 'one', SpanKind.SERVER, parent, {})
    const linked = span.beginLinked('other', SpanKind.CONSUMER)
    expect([span.traceId, linked.traceId === TRACE, linked.isRecording]).toEqual([
      TRACE,
      false,
      kept === 'kept',
    ])
    expect(linked.parent).toEqual({ context: null, state: null, baggage: 'user=1' })
  })
})

describe('trace context', () => {
  const SPAN = /^[0-9a-f]{16}$/
  const NAMES = [
    'traceparent',
    'tracestate',
    'baggage',
    'b3',
    'x-b3-traceid',
    'x-b3-spanid',
    'x-b3-sampled',
    'uber-trace-id',
  ]

  async function sentOn(propagators: string | undefined, headers: Record<string, string>) {
    const logger = createLogger({ name: 'test', level: 'silent' })
    const propagation = await openPropagation({ OTEL_PROPAGATORS: propagators }, logger)
    await using set = await setUp({ propagation })
    await post(set.router, { query: '{ version }' }, headers)
    const sent = set.shop.products.requests.at(-1)?.headers ?? {}
    return Object.fromEntries(NAMES.flatMap((name) => (name in sent ? [[name, sent[name]]] : [])))
  }

  const OTHER = '4bf92f3577b34da6a3ce929d0e0e4736'
  const ALL = {
    ...SAMPLED,
    tracestate: 'a=b',
    baggage: 'user=1',
    b3: `${OTHER}-00f067aa0ba902b7-1`,
    'x-b3-traceid': OTHER,
    'x-b3-spanid': '00f067aa0ba902b7',
    'x-b3-sampled': '1',
    'uber-trace-id': `${OTHER}:00f067aa0ba902b7:0:1`,
  }

  it.each<[string | undefined, Record<string, unknown>]>([
    [undefined, { traceparent: expect.stringContaining(TRACE), tracestate: 'a=b' }],
    ['tracecontext', { traceparent: expect.stringContaining(TRACE), tracestate: 'a=b' }],
    [
      'tracecontext,baggage',
      { traceparent: expect.stringContaining(TRACE), tracestate: 'a=b', baggage: 'user=1' },
    ],
    ['baggage', { baggage: 'user=1' }],
    ['b3', { b3: expect.stringMatching(new RegExp(`^${OTHER}-[0-9a-f]{16}-1`)) }],
    ['b3multi', { 'x-b3-traceid': OTHER, 'x-b3-spanid': expect.stringMatching(SPAN), 'x-b3-sampled': '1' }],
    ['jaeger', { 'uber-trace-id': expect.stringMatching(new RegExp(`^${OTHER}:[0-9a-f]{16}:0:01$`)) }],
    ['b3, tracecontext', { b3: expect.stringContaining(OTHER), traceparent: expect.stringContaining(OTHER) }],
    ['none', {}],
  ])('goes on as OTEL_PROPAGATORS=%s says', async (propagators, expected) => {
    expect(await sentOn(propagators, ALL)).toEqual(expected)
  })

  it.each([
    ['b3', { b3: 'nonsense' }],
    ['jaeger', { 'uber-trace-id': `${'z'.repeat(32)}:1:0:1` }],
    ['jaeger', { 'uber-trace-id': `${'1'.repeat(3000)}:1:0:1` }],
  ])('begins anew for %s where it cannot be read', async (propagators, headers) => {
    const sent = Object.values(await sentOn(propagators, headers)).join()
    expect(sent).toMatch(/^[0-9a-f]{32}[-:][0-9a-f]{16}/)
  })

  it('leaves out propagators that nobody knows, and says so', async () => {
    const lines: string[] = []
    const logger = createLogger({ name: 'test', to: { write: (line: string) => void lines.push(line) } })
    const propagation = await openPropagation({ OTEL_PROPAGATORS: 'xray,tracecontext' }, logger)
    expect(propagation.extract(SAMPLED).context?.traceId).toBe(TRACE)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', event: 'telemetry.setting-ignored', msg: expect.stringContaining('names xray') },
    ])
  })
})

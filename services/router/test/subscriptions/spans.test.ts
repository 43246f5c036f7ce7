/** The spans of subscriptions and of their events, as a collector gets them. */
import { createLogger, type Propagation, startWithTelemetry, TRACE_CONTEXT } from '@switchyard/service-kit'
import { type CollectedSpan, startCollector } from '@switchyard/testkit'
import { createClient } from 'graphql-ws'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { until } from '../support/router.ts'
import { startEventWorld } from './support/event-world.ts'
import { type Reading, subscribe } from './support/read-events.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SAMPLED = { traceparent: `00-${TRACE}-${CALLER}-01` }
const NOT_SAMPLED = { traceparent: `00-${TRACE}-${CALLER}-00` }
const CHANGED = { query: 'subscription Changed { changed { upc price } }' }
const NO_CALLS = { query: 'subscription { changed { upc } }' }
const MULTIPART = { accept: 'multipart/mixed;subscriptionSpec=1.0' }
const NO_METRICS = { service: 'router', defaultPort: 0 }
/** By the numbers of OTLP. */
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5]
const [UNSET, ERROR] = [0, 2]
const changed = (upc: string) => ({ changed: { upc } })

type Options = {
  readonly ratio?: string
  readonly settings?: string
  readonly sections?: string
  readonly propagation?: Propagation
}

/** A world whose router exports its spans. */
async function exportingWorld(options: Options = {}) {
  const { ratio = '1', settings = '', sections = '', propagation = TRACE_CONTEXT } = options
  await using stack = new AsyncDisposableStack()
  const collector = stack.use(await startCollector())
  const env = {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: ratio,
  }
  const logger = createLogger({ name: 'router', level: 'silent' })
  const nothing = { [Symbol.asyncDispose]: () => Promise.resolve() }
  stack.use(await startWithTelemetry({ env, logger }, NO_METRICS, () => Promise.resolve(nothing)))
  const world = stack.use(await startEventWorld(settings, sections, { propagation }))
  const parts = stack.move()
  const named = (name: string) => collector.spans.filter((span) => span.name === name)
  const exported = (name: string, count = 1) =>
    until(() => (named(name).length >= count ? named(name) : null), `${count} spans "${name}"`)
  return {
    ...world,
    collector,
    /** Waits for so many spans of this name. */
    exported,
    /** Waits for the only span of this name. */
    only: async (name: string): Promise<CollectedSpan> => {
      const [first, ...more] = await exported(name)
      if (first === undefined || more.length > 0) throw new Error(`${named(name).length} spans "${name}"`)
      return first
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

async function hasEvents(reading: Reading, count: number): Promise<void> {
  await reading.until(({ events }) => events.length === count, `${count} events`)
}

function linkTo({ traceId, spanId }: CollectedSpan) {
  return { traceId, spanId }
}

describe('the span of a subscription', () => {
  it('lasts until its end, below that of the client, and holds nothing of single events', async () => {
    await using world = await exportingWorld()
    const reading = subscribe(world.router, CHANGED, { ...SAMPLED, 'x-request-id': 'r-1' })
    await world.subscribed(1)
    for (const upc of ['1', '2', 'no number']) world.events.send(changed(upc))
    await hasEvents(reading, 3)
    const events = await world.exported('subscription event', 3)
    expect(world.collector.spans.map(({ name }) => name)).not.toContain('POST /graphql')
    world.events.send(null)
    const span = await world.only('POST /graphql')
    expect(span).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      kind: SERVER,
      status: UNSET,
      events: [],
      links: [],
      attributes: {
        'graphql.operation.type': 'subscription',
        'graphql.operation.name': 'Changed',
        'switchyard.request.id': 'r-1',
        'switchyard.flag.reason': 'none',
        'switchyard.revision': expect.anything(),
        'switchyard.subscription.subgraph': 'events',
        'switchyard.subscription.protocol': 'graphql-transport-ws',
        'switchyard.subscription.end': 'complete',
      },
    })
    expect(countsOf(span)).toEqual({ events: 3, events_with_errors: 1, events_dropped: 0 })
    expect(span.attributes).not.toHaveProperty('error.type')
    const below = world.collector.spans.filter(({ traceId }) => traceId === TRACE)
    expect(below.map(({ name }) => name).toSorted()).toEqual(['POST /graphql', 'parse and validate', 'plan'])
    for (const event of events) expect(event.links).toEqual([linkTo(span)])
  })

  it('counts the events that its client has missed, and names the client that left', async () => {
    const settings = 'parallel_events: 1, queue: { max_events: 1 }'
    await using world = await exportingWorld({ settings })
    const gate = Promise.withResolvers<void>()
    world.stock.wait = () => gate.promise
    const slow = subscribe(world.router, CHANGED, SAMPLED)
    const quick = subscribe(world.router, NO_CALLS)
    for (const reading of [slow, quick]) await reading.until(({ status }) => status === 200, 'the headers')
    await world.subscribed(1)
    for (let upc = 1; upc <= 5; upc++) {
      world.events.send(changed(String(upc)))
      await hasEvents(quick, upc)
    }
    gate.resolve()
    await slow.until(({ text }) => text.includes('"missed":3'), 'the last event')
    slow.leave()
    const span = await world.only('POST /graphql')
    expect(span.attributes).toMatchObject({ 'switchyard.subscription.end': 'client' })
    expect(countsOf(span)).toEqual({ events: 2, events_with_errors: 0, events_dropped: 3 })
  })

  it('is an error if its source has failed', async () => {
    const sections = `subgraphs: { overrides: { events: { subscriptions: { url: 'http://127.0.0.1:1/' } } } }`
    await using world = await exportingWorld({ settings: 'upstream: { reconnect_window: 0s }', sections })
    const reading = subscribe(world.router, CHANGED, SAMPLED)
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(await world.only('POST /graphql')).toMatchObject({
      status: ERROR,
      attributes: {
        'error.type': 'SUBGRAPH_UNREACHABLE',
        'switchyard.subscription.end': 'SUBGRAPH_UNREACHABLE',
      },
    })
  })

  it('says that another schema has ended it, and events have the revision that completed them', async () => {
    await using world = await exportingWorld()
    const reading = subscribe(world.router, CHANGED, SAMPLED)
    await world.subscribed(1)
    world.events.send(changed('1'))
    await hasEvents(reading, 1)
    await world.publish(2, 'price: Int weight: Int')
    const swapped = () => world.router.logs.filter(({ event }) => event === 'config.swapped').length
    // The old schema is let go only when nobody has it any more.
    await until(() => swapped() === 2, 'revision 2')
    await until(async () => {
      const before = reading.events.length
      world.events.send(changed('2'))
      await hasEvents(reading, before + 1)
      const spans = await world.exported('subscription event', before + 1)
      return spans.some(({ attributes }) => Number(attributes['switchyard.revision']) === 2)
    }, 'an event of revision 2')
    await world.publish(3, 'weight: Int')
    await reading.until(({ end }) => end === 'whole', 'the end')
    const span = await world.only('POST /graphql')
    expect(span).toMatchObject({
      status: UNSET,
      attributes: {
        'error.type': 'SUBSCRIPTION_SCHEMA_CHANGED',
        'switchyard.subscription.end': 'SUBSCRIPTION_SCHEMA_CHANGED',
      },
    })
    expect(Number(span.attributes['switchyard.revision'])).toBe(2)
    const events = await world.exported('subscription event')
    expect(new Set(events.map(({ attributes }) => Number(attributes['switchyard.revision'])))).toEqual(
      new Set([1, 2]),
    )
  })
})

describe('the span of an event', () => {
  it('begins a trace of its own, with the calls that complete the event below it', async () => {
    await using world = await exportingWorld()
    const reading = subscribe(world.router, CHANGED, { ...SAMPLED, tracestate: 'a=b', 'x-request-id': 'r-1' })
    await world.subscribed(1)
    world.events.send(changed('1'))
    await hasEvents(reading, 1)
    const event = await world.only('subscription event')
    const call = await world.only('subgraph stock')
    expect(event).toMatchObject({
      parentSpanId: '',
      kind: CONSUMER,
      status: UNSET,
      attributes: {
        'graphql.operation.type': 'subscription',
        'graphql.operation.name': 'Changed',
        'switchyard.request.id': 'r-1',
        'switchyard.subscription.subgraph': 'events',
        'switchyard.subscription.protocol': 'graphql-transport-ws',
        'switchyard.flag.reason': 'none',
      },
    })
    expect(event.traceId).not.toBe(TRACE)
    expect(Number(event.attributes['switchyard.event.subscriptions'])).toBe(1)
    expect(call).toMatchObject({
      traceId: event.traceId,
      parentSpanId: event.spanId,
      kind: CLIENT,
      attributes: { 'switchyard.subgraph': 'stock', 'switchyard.fetch.path': expect.anything() },
    })
    const sent = world.stock.asked[0]?.headers
    expect(sent?.traceparent).toBe(`00-${call.traceId}-${call.spanId}-01`)
    expect(sent).not.toHaveProperty('tracestate')
  })

  it('is made once for equal subscriptions of all protocols, with a link to the one that began it', async () => {
    await using world = await exportingWorld()
    await using parts = new AsyncDisposableStack()
    const url = world.router.graphqlUrl.replace('http', 'ws')
    const client = createClient({ url, webSocketImpl: WebSocket })
    parts.defer(async () => client.dispose())
    let results = 0
    client.subscribe(CHANGED, { next: () => void results++, error: () => {}, complete: () => {} })
    await world.subscribed(1)
    const readings = [subscribe(world.router, CHANGED), subscribe(world.router, CHANGED, MULTIPART)]
    for (const reading of readings) await reading.until(({ status }) => status === 200, 'the headers')
    world.events.send(changed('1'))
    for (const reading of readings) await reading.until(({ text }) => text.includes('"upc":"1"'), 'an event')
    await until(() => results === 1, 'an event over the WebSocket')
    const event = await world.only('subscription event')
    expect(Number(event.attributes['switchyard.event.subscriptions'])).toBe(3)
    const call = await world.only('subgraph stock')
    expect([call.traceId, call.parentSpanId]).toEqual([event.traceId, event.spanId])
    world.events.send(null)
    const subscriptions = await world.exported('POST /graphql', 3)
    expect(event.links).toHaveLength(1)
    expect(subscriptions.map(linkTo)).toContainEqual(event.links[0])
  })

  it('is sampled by itself, whatever was decided about the subscription', async () => {
    await using world = await exportingWorld({ ratio: '0.5' })
    const reading = subscribe(world.router, CHANGED, NOT_SAMPLED)
    await world.subscribed(1)
    for (let upc = 1; upc <= 64; upc++) {
      world.events.send(changed(String(upc)))
      await hasEvents(reading, upc)
    }
    const told = world.stock.asked.map(({ headers }) => String(headers.traceparent).split('-'))
    const sampled = told.filter(([, , , flags]) => flags === '01').map(([, traceId]) => traceId)
    const others = told.filter(([, , , flags]) => flags === '00').map(([, traceId]) => traceId)
    expect(new Set([...sampled, ...others, TRACE]).size).toBe(65)
    expect(Math.min(sampled.length, others.length)).toBeGreaterThan(0)
    const events = await world.exported('subscription event', sampled.length)
    expect(events.map(({ traceId }) => traceId).toSorted()).toEqual(sampled.toSorted())
    const calls = await world.exported('subgraph stock', sampled.length)
    expect(calls.map(({ traceId }) => traceId).toSorted()).toEqual(sampled.toSorted())
    for (const { links } of events) expect(links).toMatchObject([{ traceId: TRACE }])
  })

  it('is not made where the sampler takes no trace but those of clients', async () => {
    await using world = await exportingWorld({ ratio: '0' })
    const reading = subscribe(world.router, CHANGED, SAMPLED)
    await world.subscribed(1)
    world.events.send(changed('1'))
    world.events.send(null)
    await reading.until(({ end }) => end === 'whole', 'the end')
    await world.only('POST /graphql')
    const names = world.collector.spans.map(({ name }) => name)
    expect(names.toSorted()).toEqual(['POST /graphql', 'parse and validate', 'plan'])
    const [, traceId, , flags] = String(world.stock.asked[0]?.headers.traceparent).split('-')
    expect([traceId === TRACE, flags]).toEqual([false, '00'])
  })

  it('tells events that nobody waits for any more, and those with errors', async () => {
    await using world = await exportingWorld()
    const failing = subscribe(world.router, CHANGED)
    await world.subscribed(1)
    world.events.send(changed('no number'))
    await hasEvents(failing, 1)
    const failed = await world.only('subscription event')
    expect(Number(failed.attributes['switchyard.response.errors'])).toBe(1)
    expect(failed.attributes).not.toHaveProperty('switchyard.event.abandoned')
    world.stock.wait = () => new Promise(() => {})
    world.events.send(changed('1'))
    await until(() => world.stock.asked.length === 2, 'the call')
    failing.leave()
    const [, left] = await world.exported('subscription event', 2)
    expect(left?.attributes).toMatchObject({ 'switchyard.event.abandoned': true })
  })

  it('is an error if the router itself failed, and has the ids that the log line has', async () => {
    const inject = (): never => {
      throw new Error('planted')
    }
    await using world = await exportingWorld({ propagation: { ...TRACE_CONTEXT, inject } })
    const reading = subscribe(world.router, CHANGED, { ...SAMPLED, 'x-request-id': 'r-1' })
    await world.subscribed(1)
    world.events.send(changed('1'))
    await hasEvents(reading, 1)
    const event = await world.only('subscription event')
    expect(event).toMatchObject({ status: ERROR, links: [{ traceId: TRACE }] })
    const line = world.router.logs.find((one) => one.event === 'request.failed')
    const ids = { trace_id: event.traceId, span_id: event.spanId, request_id: 'r-1' }
    expect(line).toMatchObject({ err: { message: 'planted' }, ...ids })
  })

  it('has the ids that log lines about its calls have', async () => {
    const sections = 'subgraphs: { overrides: { stock: { timeout: 50ms } } }'
    await using world = await exportingWorld({ sections })
    world.stock.wait = () => new Promise(() => {})
    const reading = subscribe(world.router, CHANGED, { ...SAMPLED, 'x-request-id': 'r-1' })
    await world.subscribed(1)
    world.events.send(changed('1'))
    await hasEvents(reading, 1)
    const call = await world.only('subgraph stock')
    expect(call).toMatchObject({ status: ERROR, attributes: { 'error.type': 'SUBGRAPH_TIMEOUT' } })
    const line = await until(
      () => world.router.logs.find(({ event }) => event === 'subgraph.failed'),
      'the log line',
    )
    expect(line).toMatchObject({ trace_id: call.traceId, span_id: call.spanId, request_id: 'r-1' })
    world.events.send(null)
    const answered = await until(
      () => world.router.logs.find(({ event }) => event === 'request.answered'),
      'the line of the subscription',
    )
    expect(answered).toMatchObject({ trace_id: TRACE, request_id: 'r-1' })
  })
})

describe('a router that keeps no spans', () => {
  it('begins a trace for the calls of each event all the same', async () => {
    await using world = await startEventWorld()
    const reading = subscribe(world.router, CHANGED, { ...SAMPLED, tracestate: 'a=b' })
    const other = subscribe(world.router, NO_CALLS, SAMPLED)
    for (const one of [reading, other]) await one.until(({ status }) => status === 200, 'the headers')
    await world.subscribed(1)
    for (const upc of ['1', '2']) world.events.send(changed(upc))
    for (const one of [reading, other]) await hasEvents(one, 2)
    const told = world.stock.asked.map(({ headers }) => headers.traceparent)
    for (const traceparent of told) expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(new Set([TRACE, ...told.map((traceparent) => String(traceparent).split('-')[1])]).size).toBe(3)
    for (const { headers } of world.stock.asked) expect(headers).not.toHaveProperty('tracestate')
  })
})

/** Returns the counts of events, which OTLP writes as texts. */
function countsOf({ attributes }: CollectedSpan): Readonly<Record<string, number>> {
  const names = ['events', 'events_with_errors', 'events_dropped']
  return Object.fromEntries(
    names.map((name) => [name, Number(attributes[`switchyard.subscription.${name}`])]),
  )
}

import {
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  SpanKind,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, until } from '../support/router.ts'
import { startShop } from '../support/shop.ts'

type RecordedSpan = {
  readonly name: string
  readonly kind: SpanKind | undefined
  readonly attributes: Attributes
  readonly context: SpanContext
  readonly parent: string | undefined
  ended: boolean
}

/** What an SDK does, as far as spans are concerned: gives them identity and keeps them. */
class RecordingTracer implements Tracer {
  readonly spans: RecordedSpan[] = []

  startSpan(
    name: string,
    options: { kind?: SpanKind; attributes?: Attributes } = {},
    parent?: Context,
  ): Span {
    const above = parent === undefined ? undefined : trace.getSpanContext(parent)
    const number = this.spans.length + 1
    const context: SpanContext = {
      traceId: above?.traceId ?? number.toString(16).padStart(32, '0'),
      spanId: number.toString(16).padStart(16, '0'),
      traceFlags: 1,
    }
    const recorded: RecordedSpan = {
      name,
      kind: options.kind,
      attributes: { ...options.attributes },
      context,
      parent: above?.spanId,
      ended: false,
    }
    this.spans.push(recorded)
    return Object.assign(Object.create(trace.wrapSpanContext(context)), {
      setAttributes: (attributes: Attributes) => Object.assign(recorded.attributes, attributes),
      end: () => {
        recorded.ended = true
      },
    })
  }

  startActiveSpan(): never {
    throw new Error('The router hands its spans on itself.')
  }
}

describe('spans', () => {
  const tracer = new RecordingTracer()
  beforeAll(() => {
    trace.setGlobalTracerProvider({ getTracer: () => tracer })
  })
  afterAll(() => {
    trace.disable()
  })

  it('show a request, each of its subgraph calls below it, and the swap below the notice', async () => {
    await using shop = await startShop()
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.flag })
    await using router = await routerOn(world)
    await router.ready
    const published = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await world.publish({ revision: 2, base: shop.base, traceparent: published })
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'revision 2 is served')
    const asked = '00-11111111111111111111111111111111-2222222222222222-01'
    await post(router, { query: '{ topProducts { reviews { body } } }' }, { traceparent: asked })
    const request = await until(
      () => tracer.spans.find(({ name, ended }) => name === 'graphql request' && ended),
      'the request ends',
    )

    const swap = tracer.spans.filter(({ name }) => name === 'config swap').at(-1)
    expect(swap).toMatchObject({
      context: { traceId: '0af7651916cd43dd8448eb211c80319c' },
      parent: 'b7ad6b7169203331',
      attributes: { 'switchyard.revision': 2 },
      ended: true,
    })
    expect(request).toMatchObject({
      kind: SpanKind.SERVER,
      parent: '2222222222222222',
      attributes: { 'http.response.status_code': 200 },
    })
    const calls = tracer.spans.filter(({ parent }) => parent === request.context.spanId)
    expect(calls.map(({ name, kind, ended }) => [name, kind, ended])).toEqual([
      ['subgraph products', SpanKind.CLIENT, true],
      ['subgraph reviews', SpanKind.CLIENT, true],
    ])
    const sent = shop.reviews.requests.at(-1)?.headers.traceparent
    expect(sent).toBe(`00-11111111111111111111111111111111-${calls[1]?.context.spanId}-01`)
  })
})

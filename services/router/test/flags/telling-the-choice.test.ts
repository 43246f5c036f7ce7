/** Where the choice of a composition can be seen: log, metrics, trace. Never in the answer's errors. */
import { type Attributes, trace, type Tracer } from '@opentelemetry/api'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordMetrics } from '@switchyard/testkit'
import { brokenArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'
import { startShop } from '../support/shop.ts'

const LONG = 'made-up-'.repeat(40)

const CASES = [
  ['nothing named', {}, 'none', null, undefined],
  ['a header', { 'x-feature-flag': 'next' }, 'header', 'next', undefined],
  ['a cookie', { cookie: 'feature_flag=next' }, 'cookie', 'next', undefined],
  [
    'an unknown header',
    { 'x-feature-flag': LONG, cookie: 'feature_flag=next' },
    'unknown',
    null,
    LONG.slice(0, 100),
  ],
  ['an unknown cookie', { cookie: `feature_flag=${LONG}` }, 'unknown', null, LONG.slice(0, 100)],
  ['a flag that cannot be built', { 'x-feature-flag': 'broken' }, 'not-served', null, 'broken'],
] as const

describe('the choice of a composition', () => {
  const stack = new AsyncDisposableStack()
  const { measured } = stack.use(recordMetrics())
  let spans: Attributes[] = []
  let router: TestRouter

  beforeAll(async () => {
    trace.setGlobalTracerProvider({
      getTracer: () => recordingTracer((attributes) => spans.push(attributes)),
    })
    const shop = stack.use(await startShop())
    const world = stack.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: shop.base,
      flags: { next: shop.flag, broken: brokenArtifact() },
    })
    router = stack.use(await routerOn(world))
    await router.ready
  })
  afterAll(async () => {
    await stack.disposeAsync()
    trace.disable()
  })
  beforeEach(() => {
    measured.length = 0
    spans = []
    router.logs.length = 0
  })

  it.each(CASES)('is told for %s', async (_, headers, reason, flag, requested) => {
    await post(router, { query: '{ version }' }, headers)
    const line = await until(
      () => router.logs.find(({ event }) => event === 'request.answered'),
      'the log line',
    )
    expect(line).toMatchObject({ flagReason: reason, flag })
    expect(line['requestedFlag']).toBe(requested)
    const [request] = measured.filter(({ name }) => name === 'switchyard.router.requests')
    expect(request?.labels).toEqual({ status: 200, reason, flag: flag ?? '' })
    const span = spans.find((attributes) => 'switchyard.flag.reason' in attributes)
    expect(span).toMatchObject({ 'switchyard.flag.reason': reason })
    expect(span?.['switchyard.flag']).toBe(flag ?? undefined)
    expect(span?.['switchyard.flag.requested']).toBe(requested)
  })

  it.each(CASES)('is in no error of the answer for %s', async (_, headers) => {
    const failing = await post(router, { query: '{ fails }' }, headers)
    const invalid = await post(router, { query: '{ nope }' }, headers)
    for (const reply of [failing, invalid]) {
      expect(reply.json.errors).not.toEqual([])
      expect(JSON.stringify(reply.json.errors)).not.toMatch(
        /header|cookie|unknown|not-served|made-up|broken/i,
      )
    }
  })

  it('never makes a label of what a client made up', async () => {
    for (let n = 0; n < 20; n++)
      await post(router, { query: '{ version }' }, { 'x-feature-flag': `made-up-${n}` })
    expect(measured.length).toBeGreaterThanOrEqual(20)
    expect(JSON.stringify(measured)).not.toContain('made-up')
  })
})

function recordingTracer(onAttributes: (attributes: Attributes) => void): Tracer {
  return {
    startSpan() {
      const context = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }
      return Object.assign(Object.create(trace.wrapSpanContext(context)), {
        isRecording: () => true,
        setAttributes: onAttributes,
        addEvent: () => {},
        setStatus: () => {},
        end: () => {},
      })
    },
    startActiveSpan(): never {
      throw new Error('The router hands its spans on itself.')
    },
  }
}

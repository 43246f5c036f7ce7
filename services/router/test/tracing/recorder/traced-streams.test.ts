import { fetchesOf, parseTrace } from '@switchyard/request-trace'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { type Gate, startGate } from '../../support/gate.ts'
import { routerOn, type TestRouter } from '../../support/router.ts'
import { overHttp1 } from '../../support/streams.ts'
import { startSubgraph } from '../../support/subgraph.ts'
import { drawn, TRACED, traced } from './traced.ts'

const DEFERRED =
  '{ product(upc: "1") { name ...@defer(label: "r") { reviews { body } } ...@defer { price } } }'
const NOT_LOADED = {
  single_flight_used: false,
  single_flight_shared_response: false,
  load_skipped: false,
}

const stack = new AsyncDisposableStack()
let gate: Gate
let world: ConfigWorld
let router: TestRouter
/** Does not wait long for a deferred field. */
let impatient: TestRouter

beforeAll(async () => {
  const products = stack.use(await startSubgraph('products'))
  const reviews = stack.use(await startSubgraph('reviews'))
  gate = stack.use(await startGate(reviews.url))
  world = stack.use(await ConfigWorld.create())
  await world.publish({
    revision: 1,
    base: buildArtifact('base', { products: products.url, reviews: gate.url }),
  })
  const settings = 'dev_mode: true, engine: { enable_defer: true }'
  router = stack.use(await routerOn(world, { settings: `{ ${settings} }` }))
  impatient = stack.use(
    await routerOn(world, {
      settings: `{ ${settings}, subgraphs: { overrides: { reviews: { timeout: 300ms } } } }`,
    }),
  )
  await Promise.all([router.ready, impatient.ready])
})
afterAll(() => stack.disposeAsync())
beforeEach(() => gate.open())

async function partsOf(headers: Record<string, string> = TRACED, query = DEFERRED, of = router) {
  const stream = await overHttp1(of, query, headers)
  const parts: object[] = []
  for (let part = await stream.next(); part !== null; part = await stream.next()) parts.push(Object(part))
  return { stream, parts }
}

describe('a traced answer in parts', () => {
  it('has what has run so far in its first part, and all of it in its last', async () => {
    const { stream, parts } = await partsOf()
    const [first = {}, ...others] = parts
    const last = others.at(-1) ?? {}
    expect(Object.keys(first)).toEqual(['data', 'extensions', 'pending', 'hasNext'])
    expect(Object.keys(last)).toEqual(['incremental', 'completed', 'extensions', 'hasNext'])
    for (const part of others.slice(0, -1)) expect(part).not.toHaveProperty('extensions')
    expect(stream.headers['cache-control']).toBe('no-cache, no-store')

    const early = parseTrace(first)
    const whole = parseTrace(last)
    expect(drawn(whole.fetches)).toMatch(
      /^Sequence\(Single products:, .*Entity reviews:product after 0 for 1/,
    )
    expect(drawn(early.fetches)).toBe(drawn(whole.fetches))
    for (const { defer_id, trace } of fetchesOf(early)) {
      if (defer_id === undefined) expect(trace).toHaveProperty('output')
      else expect(trace).toEqual(NOT_LOADED)
    }
    for (const { trace } of fetchesOf(whole)) expect(trace).toHaveProperty('output')
    expect(early.info).toEqual(whole.info)
  })

  it('names the fragments that are announced object by object by what their ids begin with', async () => {
    const settings = '{ dev_mode: true, engine: { enable_defer: true, defer_pending: item } }'
    await using byItem = await routerOn(world, { settings })
    await byItem.ready
    const { parts } = await partsOf(TRACED, '{ topProducts { upc ...@defer { reviews { id } } } }', byItem)
    const [first = {}, last = {}] = parts
    expect(first).toMatchObject({ pending: [{ id: '1.1' }, { id: '1.2' }], hasNext: true })
    expect(Object.keys(last)).toEqual(['incremental', 'completed', 'extensions', 'hasNext'])
    expect(last).toMatchObject({ completed: [{ id: '1.1' }, { id: '1.2' }], hasNext: false })
    const deferIds = fetchesOf(parseTrace(last)).map(({ defer_id }) => defer_id)
    expect(deferIds).toEqual([undefined, '1'])
  })

  it('tells labels of fragments, of those that are not too long', async () => {
    const long = 'x'.repeat(101)
    const query = `{ topProducts { upc ...@defer(label: "r") { reviews { id } } ...@defer(label: "${long}") { price } } }`
    const { parts } = await partsOf(TRACED, query)
    const told = fetchesOf(parseTrace(parts.at(-1))).map(({ defer_id, defer_label }) => [
      defer_id,
      defer_label,
    ])
    expect(told.toSorted()).toEqual([
      [undefined, undefined],
      ['1', 'r'],
      ['2', undefined],
    ])
  })

  it('says so when a deferred fetch fails', async () => {
    gate.close()
    const { parts } = await partsOf(TRACED, DEFERRED, impatient)
    const failed = fetchesOf(parseTrace(parts.at(-1))).find(({ source_name }) => source_name === 'reviews')
    expect(failed?.trace.error?.code).toBe('SUBGRAPH_TIMEOUT')
  })

  it('has its only trace in its only part when nothing is left to deliver', async () => {
    const { parts } = await partsOf(TRACED, '{ product(upc: "1") { name ...@defer { name } } }')
    expect(parts).toHaveLength(1)
    expect(Object.keys(parts[0] ?? {})).toEqual(['data', 'extensions', 'hasNext'])
    expect(parseTrace(parts[0]).info).toHaveProperty('planner_stats')
  })

  it('is the same, byte for byte, with predictable timings', async () => {
    const predictable = { 'x-vendor-trace': 'enable_predictable_debug_timings' }
    const [first, second] = [await partsOf(predictable), await partsOf(predictable)]
    expect(JSON.stringify(second.parts)).toBe(JSON.stringify(first.parts))
  })

  it('may be stored when it is not traced', async () => {
    const { stream, parts } = await partsOf({})
    expect(stream.headers['cache-control']).toBe('no-cache')
    for (const part of parts) expect(part).not.toHaveProperty('extensions')
  })

  it.each([
    ['application/json', 'DEFER_BAD_HEADER'],
    ['multipart/mixed;deferSpec=20220824', 'DEFER_UNSUPPORTED_SPEC'],
  ])('that is refused because of Accept: %s has one, too', async (accept, code) => {
    const { reply, trace } = await traced(router, { query: DEFERRED }, { accept })
    expect(Object.keys(reply.json)).toEqual(['errors', 'extensions'])
    expect(reply.json.errors?.[0]?.extensions['code']).toBe(code)
    for (const fetch of fetchesOf(trace)) expect(fetch.trace).toEqual(NOT_LOADED)
  })
})

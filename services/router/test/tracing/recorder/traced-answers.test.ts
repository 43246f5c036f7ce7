import { fetchesOf, type Trace } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LoadWatch } from '../../../src/transport/load/load-watch.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { post, routerOn, send, type TestRouter } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { newTestKey, signed, type TestKey } from '../trace-tokens.ts'
import { drawn, traced, traceIn, TRACED } from './traced.ts'

const BATCH = 'query Top($first: Int) { topProducts(first: $first) { name reviews { body } } }'
const SHOWS_ALL = 'tracing: { allowed_headers: ["*"], sensitive_names: [] }'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
let key: TestKey
let router: TestRouter
let locked: TestRouter

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  key = await newTestKey('t1')
  await world.publish({
    revision: 3,
    base: shop.base,
    flags: { next: shop.flag },
    traceKeys: { keys: [key.publicJwk] },
  })
  router = stack.use(await routerOn(world, { settings: 'dev_mode: true' }))
  locked = stack.use(await routerOn(world, { settings: 'introspection: { enabled: false }' }))
  await router.ready
  await locked.ready
})
afterAll(() => stack.disposeAsync())

const now = () => Math.floor(Date.now() / 1000)
const token = (more: object = {}) =>
  signed(key, { aud: 'default/shop', iat: now(), exp: now() + 600, jti: 'a', ...more })

describe('the trace of a query', () => {
  it('has the plan, what each fetch was made from, what it asked and what it got', async () => {
    await using plain = await routerOn(world, { settings: `{ dev_mode: true, ${SHOWS_ALL} }` })
    await plain.ready
    const { reply, trace, fetches } = await traced(plain, { query: BATCH, variables: { first: 2 } })
    expect(Object.keys(reply.json)).toEqual(['data', 'extensions'])
    expect(reply.json.data).toEqual({
      topProducts: [
        { name: 'Table', reviews: [{ body: 'Review of 1' }] },
        { name: 'Couch', reviews: [{ body: 'Review of 2' }] },
      ],
    })
    expect(drawn(trace.fetches)).toBe('Sequence(Single products:, BatchEntity reviews:topProducts.@ after 0)')
    const parents = [
      { name: 'Table', upc: '1' },
      { name: 'Couch', upc: '2' },
    ]
    expect(fetches[0]?.trace).toMatchObject({
      raw_input_data: {},
      input: { method: 'POST', url: shop.products.url, body: { variables: { first: 2 } } },
      output: { status_code: 200, body: { data: { topProducts: parents } } },
      load_skipped: false,
    })
    const [, reviews] = fetches
    expect(reviews?.trace.raw_input_data).toEqual(parents)
    const asked = shop.reviews.requests.at(-1)
    expect(reviews?.trace.input).toMatchObject({
      url: shop.reviews.url,
      body: JSON.parse(asked?.body ?? ''),
      headers: { 'content-type': 'application/json', traceparent: asked?.headers['traceparent'] },
    })
    const { output } = reviews?.trace ?? {}
    expect(output).toMatchObject({ headers: { 'content-type': 'application/json' } })
    expect(output).toHaveProperty(
      'body_size',
      Buffer.byteLength(JSON.stringify(Reflect.get(output ?? {}, 'body'))),
    )
    expect(trace.composition).toEqual({
      feature_flag: null,
      reason: 'none',
      artifact: shop.base.sha256,
      revision: 3,
    })
    expect(trace.request).toMatchObject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-vendor-trace': 'true' },
      body: { query: BATCH, operationName: null, variables: { first: 2 } },
    })
  })

  it('has its times in order: phases one after the other, then fetches, each with its load', async () => {
    for (const _ of ['new operation', 'known operation']) {
      const { trace, fetches } = await traced(router, { query: BATCH })
      const { parse_stats, normalize_stats, validate_stats, planner_stats } = trace.info
      let before = 0
      for (const phase of [parse_stats, normalize_stats, validate_stats, planner_stats]) {
        expect(phase?.duration_since_start_nanoseconds).toBeGreaterThanOrEqual(before)
        before =
          (phase?.duration_since_start_nanoseconds ?? Number.NaN) +
          (phase?.duration_nanoseconds ?? Number.NaN)
      }
      for (const { trace: load } of fetches) {
        expect(load.duration_since_start_nanoseconds).toBeGreaterThanOrEqual(before)
        before = (load.duration_since_start_nanoseconds ?? 0) + (load.duration_load_nanoseconds ?? 0)
        expect(load.load_stats).toHaveProperty('got_first_response_byte')
      }
      const started = Date.parse(trace.info.trace_start_time)
      expect(Math.abs(trace.info.trace_start_unix * 1000 - started)).toBeLessThanOrEqual(1)
      expect(Date.now() - started).toBeLessThan(60_000)
    }
  })

  it.each([
    [
      '{ product(upc: "1") { reviews { id } } }',
      'Sequence(Single products:, Entity reviews:product after 0)',
    ],
    [
      '{ a: product(upc: "1") { reviews { id } } b: topProducts { reviews { id } } }',
      'Sequence(Single products:, MultiEntity reviews:a, b.@ after 0)',
    ],
    ['{ version reviewHeader(name: "a") }', 'Sequence(Parallel(Single products:, Single reviews:))'],
    ['{ __typename }', 'Sequence()'],
    ['{ __schema { queryType { name } } }', 'Sequence()'],
  ])('shows the plan of %s', async (query, plan) => {
    const { trace } = await traced(router, { query })
    expect(drawn(trace.fetches)).toBe(plan)
  })

  it('says of a fetch that had nothing to ask that it was skipped', async () => {
    const { fetches } = await traced(router, { query: '{ topProducts(first: 0) { reviews { id } } }' })
    expect(fetches[1]?.trace).toEqual({
      single_flight_used: false,
      single_flight_shared_response: false,
      load_skipped: true,
    })
  })

  it('may not be stored', async () => {
    await using cached = await routerOn(world, {
      settings: '{ dev_mode: true, response: { cache_control: max-age=60 } }',
    })
    await cached.ready
    const { reply } = await traced(cached, { query: '{ version }' })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect((await post(cached, { query: '{ version }' })).headers['cache-control']).toBe('max-age=60')
  })

  it('names the composition that answered, and subgraphs by what they stand in for', async () => {
    const { trace, fetches } = await traced(router, { query: '{ version }' }, { 'x-feature-flag': 'next' })
    expect(trace.composition).toEqual({
      feature_flag: 'next',
      reason: 'header',
      artifact: shop.flag.sha256,
      revision: 3,
    })
    expect(fetches[0]).toMatchObject({ source_id: 'products', source_name: 'products-next' })
  })

  it.each([
    ['cookie', { cookie: 'feature_flag=next' }],
    ['unknown', { 'x-feature-flag': 'gone' }],
  ])('gives the reason %s', async (reason, headers) => {
    const { trace } = await traced(router, { query: '{ version }' }, headers)
    expect(trace.composition.reason).toBe(reason)
  })
})

const MEMBERS: readonly (readonly [argument: string, members: readonly string[]])[] = [
  ['exclude_raw_input_data', ['raw_input_data']],
  ['exclude_input', ['input']],
  ['exclude_output', ['output']],
  [
    'exclude_load_stats',
    [
      'duration_since_start_nanoseconds',
      'duration_since_start_pretty',
      'duration_load_nanoseconds',
      'duration_load_pretty',
      'load_stats',
    ],
  ],
  ['exclude_parse_stats', ['parse_stats']],
  ['exclude_normalize_stats', ['normalize_stats']],
  ['exclude_validate_stats', ['validate_stats']],
  ['exclude_planner_stats', ['planner_stats']],
]

/** Names of what is in `info` and in the trace of each fetch. */
function membersOf(trace: Trace): readonly string[] {
  return [...Object.keys(trace.info), ...fetchesOf(trace).flatMap((fetch) => Object.keys(fetch.trace))]
}

describe('arguments', () => {
  it.each(MEMBERS)('%s leaves out exactly that', async (argument, members) => {
    const whole = membersOf((await traced(router, { query: BATCH })).trace)
    const { trace } = await traced(router, { query: BATCH }, { 'x-vendor-trace': argument })
    expect(membersOf(trace)).toEqual(whole.filter((name) => !members.includes(name)))
  })

  it('add up, and those that do not exist are named', async () => {
    const list = 'exclude_input, exclude_output,frobnicate, true'
    const { trace } = await traced(router, { query: BATCH }, { 'x-vendor-trace': list })
    expect(membersOf(trace)).not.toContain('input')
    expect(membersOf(trace)).not.toContain('output')
    expect(trace.warnings).toEqual([expect.stringContaining('"frobnicate"')])
  })

  it('come by query parameter as well, which wins', async () => {
    const url = { graphqlUrl: `${router.graphqlUrl}?vendor_trace=exclude_output` }
    expect(membersOf((await traced(url, { query: BATCH })).trace)).not.toContain('output')
    const off = { graphqlUrl: `${router.graphqlUrl}?vendor_trace=false` }
    expect((await post(off, { query: BATCH }, TRACED)).json).not.toHaveProperty('extensions')
  })

  it('trace a GET request', async () => {
    const search = new URLSearchParams({ query: '{ version }', vendor_trace: 'true' })
    const reply = await send(`${router.graphqlUrl}?${search.toString()}`, {
      headers: { 'x-requested-with': 'test' },
    })
    expect(traceIn(reply).request).toMatchObject({ method: 'GET', body: { query: '{ version }' } })
  })

  it('carry the brand of the operator', async () => {
    await using branded = await routerOn(world, {
      settings: '{ dev_mode: true, tracing: { vendor: acme } }',
    })
    await branded.ready
    expect((await post(branded, { query: '{ version }' }, TRACED)).json).not.toHaveProperty('extensions')
    const reply = await post(branded, { query: '{ version }' }, { 'x-ACME-trace': 'true' })
    expect(traceIn(reply).version).toBe('1')
    const byParameter = { graphqlUrl: `${branded.graphqlUrl}?acme_trace=true` }
    expect(traceIn(await post(byParameter, { query: '{ version }' })).version).toBe('1')
  })

  it('for predictable timings give the same bytes in two runs, of the first use of an operation and a later one', async () => {
    const texts: string[] = []
    for (const _ of [1, 2]) {
      const { reply } = await traced(
        router,
        { query: `${BATCH} # for this test only` },
        { 'x-vendor-trace': 'enable_predictable_debug_timings' },
      )
      texts.push(reply.text)
    }
    expect(texts[1]).toBe(texts[0])
    expect(texts[0]).toContain('"trace_start_time":"","trace_start_unix":0')
  })
})

describe('the gate', () => {
  const ask = (target: TestRouter, headers: Record<string, string>) =>
    post(target, { query: '{ version }' }, headers)

  it('lets a good token through, and leaves out what it excludes', async () => {
    const reply = await ask(locked, { ...TRACED, 'x-vendor-token': token({ exclude: ['output'] }) })
    expect(membersOf(traceIn(reply))).toContain('input')
    expect(membersOf(traceIn(reply))).not.toContain('output')
  })

  it('answers a bad token with 401, and executes nothing', async () => {
    const calls = shop.products.requests.length
    for (const bad of [
      'garbage',
      token({ aud: 'default/other' }),
      token({ exp: now() - 60, iat: now() - 90 }),
    ]) {
      const reply = await ask(locked, { ...TRACED, 'x-vendor-token': bad })
      expect(reply.status).toBe(401)
      expect(reply.json).toEqual({
        errors: [{ message: expect.any(String), extensions: { code: 'TRACE_TOKEN_INVALID' } }],
      })
    }
    expect(shop.products.requests.length).toBe(calls)
  })

  it('answers without a trace who shows no token, or asks for none', async () => {
    expect((await ask(locked, TRACED)).json).toEqual({ data: { version: 'products' } })
    expect((await ask(locked, { 'x-vendor-token': 'garbage' })).json).toEqual({
      data: { version: 'products' },
    })
  })

  it.each([
    ['{ dev_mode: true, engine: { enable_request_tracing: false } }', false],
    ['engine: { force_unauthenticated_request_tracing: true }', true],
  ])('with the settings %s gives a trace: %s', async (settings, isTraced) => {
    await using other = await routerOn(world, { settings })
    await other.ready
    expect('extensions' in (await ask(other, TRACED)).json).toBe(isTraced)
  })

  it('records nothing of a request that gets no trace', async () => {
    const begun = vi.spyOn(LoadWatch.prototype, 'begin')
    try {
      await ask(locked, TRACED)
      await ask(router, {})
      expect(begun).not.toHaveBeenCalled()
      await ask(router, TRACED)
      expect(begun).toHaveBeenCalledOnce()
    } finally {
      begun.mockRestore()
    }
  })
})

describe('a request that is not executed has the trace of how far it came', () => {
  const phases = ({ info }: Trace) => Object.keys(info).filter((name) => name.endsWith('_stats'))
  const PARSED = ['parse_stats']
  const NORMALIZED = [...PARSED, 'normalize_stats']
  const VALIDATED = [...NORMALIZED, 'validate_stats']

  it.each([
    ['a syntax error', '{ version', {}, PARSED],
    ['an operation that is not there', '{ version }', { operationName: 'Other' }, NORMALIZED],
    ['a field that does not exist', '{ nothing }', {}, VALIDATED],
    ['a variable that is missing', 'query ($a: ID!) { product(upc: $a) { name } }', {}, VALIDATED],
  ])('%s', async (_, query, more, expected) => {
    const { reply, trace } = await traced(router, { query, ...more })
    expect(Object.keys(reply.json)).toEqual(['errors', 'extensions'])
    expect(phases(trace)).toEqual(expected)
    expect(trace.fetches.children).toEqual([])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('introspection where it is switched off', async () => {
    const { reply, trace } = await traced(
      locked,
      { query: '{ __schema { queryType { name } } }' },
      { 'x-vendor-token': token() },
    )
    expect(reply.json.errors?.[0]?.extensions['code']).toBe('INTROSPECTION_DISABLED')
    expect(phases(trace)).toEqual([...VALIDATED, 'planner_stats'])
  })

  it('an operation that cannot be planned', async () => {
    await using small = await routerOn(world, {
      settings: '{ dev_mode: true, planning: { max_steps: 1 } }',
    })
    await small.ready
    const { reply, trace } = await traced(small, { query: BATCH })
    expect(reply.json.errors?.[0]?.extensions['code']).toBe('PLANNING_LIMIT')
    expect(phases(trace)).toEqual([...VALIDATED, 'planner_stats'])
  })

  it('a mutation by GET, and an answer of a type that nobody writes', async () => {
    const search = new URLSearchParams({
      query: 'mutation { rename(upc: "1", name: "a") { name } }',
      vendor_trace: 'true',
    })
    const byGet = await send(`${router.graphqlUrl}?${search.toString()}`, {
      headers: { 'x-requested-with': 'test' },
    })
    expect(byGet.status).toBe(405)
    expect(traceIn(byGet).version).toBe('1')
    const unknown = await traced(router, { query: '{ version }' }, { accept: 'text/html' })
    expect(unknown.reply.status).toBe(406)
    expect(unknown.trace.fetches.children).toHaveLength(1)
  })
})

/** What is asked for as clients write it, and what of a trace that leaves. */
import { fetchesOf } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { post, routerOn, type TestRouter } from '../../support/router.ts'
import { startShop } from '../../support/shop.ts'
import { newTestKey, signed, type TestKey } from '../trace-tokens.ts'
import { tracesIn } from './traced.ts'

const QUERY = '{ topProducts { reviews { id } } }'

const stack = new AsyncDisposableStack()
let key: TestKey
let router: TestRouter
let locked: TestRouter

beforeAll(async () => {
  const shop = stack.use(await startShop())
  const world = stack.use(await ConfigWorld.create())
  key = await newTestKey('t1')
  await world.publish({ revision: 1, base: shop.base, traceKeys: { keys: [key.publicJwk] } })
  router = stack.use(await routerOn(world, { settings: 'dev_mode: true' }))
  locked = stack.use(await routerOn(world))
  await router.ready
  await locked.ready
})
afterAll(() => stack.disposeAsync())

async function ask(search: string, headers: Record<string, string | string[]>, target = router) {
  const reply = await post({ graphqlUrl: `${target.graphqlUrl}${search}` }, { query: QUERY }, headers)
  expect(reply.json.data).toEqual({ topProducts: [{ reviews: [{ id: 'r1' }] }, { reviews: [{ id: 'r2' }] }] })
  return tracesIn(reply).at(0) ?? null
}

const byHeader = (value: string | string[]) => ({ 'X-VENDOR-Trace': value })

describe('a trace is asked for', () => {
  it.each<readonly [string, string, Record<string, string | string[]>, boolean]>([
    ['by nothing', '', {}, false],
    ['by header', '', byHeader('true'), true],
    ['by header, in capitals', '', byHeader(' TRUE '), true],
    ['by header, with an argument alone', '', byHeader('exclude_input'), true],
    ['by header, with an argument that there is not', '', byHeader('everything'), true],
    ['by header, with true among others', '', byHeader('exclude_input, true'), true],
    ['by two headers', '', byHeader(['exclude_input', 'true']), true],
    ['not by an empty header', '', byHeader(''), false],
    ['not by commas', '', byHeader(' , ,'), false],
    ['not by false', '', byHeader('false'), false],
    ['not by false among others', '', byHeader('true,false'), false],
    ['by parameter', '?vendor_trace=true', {}, true],
    ['by parameter among others', '?a=b&vendor_trace=true&c', {}, true],
    ['by parameter, percent-encoded', '?vendor%5Ftrace=exclude_input%2C%20true', {}, true],
    ['by two parameters', '?vendor_trace=exclude_input&vendor_trace=exclude_output', {}, true],
    ['by parameter, whatever the header says', '?vendor_trace=true', byHeader('false'), true],
    ['not by parameter, whatever the header says', '?vendor_trace=false', byHeader('true'), false],
    ['not by an empty parameter, whatever the header says', '?vendor_trace=', byHeader('true'), false],
    ['not by a parameter of a longer name', '?my_vendor_trace=true', {}, false],
  ])('%s', async (_, search, headers, isTraced) => {
    expect((await ask(search, headers)) !== null).toBe(isTraced)
  })
})

describe('arguments', () => {
  const loadOf = async (search: string, headers: Record<string, string | string[]>, target = router) => {
    const trace = await ask(search, headers, target)
    const load = trace === null ? undefined : fetchesOf(trace)[1]?.trace
    if (trace === null || load === undefined) throw new Error('There is no trace of two fetches')
    return { trace, load }
  }

  it('of several headers and parameters add up, and the header does not add to the parameter', async () => {
    const headers = await loadOf('', byHeader(['exclude_input', 'Exclude_Output']))
    expect(headers.load).not.toHaveProperty('input')
    expect(headers.load).not.toHaveProperty('output')
    const search = '?vendor_trace=exclude_input&vendor_trace=exclude_raw_input_data'
    const { load } = await loadOf(search, byHeader('exclude_output'))
    expect(load).not.toHaveProperty('input')
    expect(load).not.toHaveProperty('raw_input_data')
    expect(load).toHaveProperty('output')
  })

  it('of a token are added to those of the request', async () => {
    const now = Math.floor(Date.now() / 1000)
    const token = signed(key, {
      aud: 'default/shop',
      iat: now,
      exp: now + 60,
      jti: 'a',
      exclude: ['output', 'planner_stats'],
    })
    const headers = { ...byHeader('exclude_input'), 'X-VENDOR-Token': token }
    const { trace, load } = await loadOf('', headers, locked)
    expect(Object.keys(trace.info)).not.toContain('planner_stats')
    for (const name of ['input', 'output']) expect(load).not.toHaveProperty(name)
    expect(load).toHaveProperty('raw_input_data')
  })

  it('can make all timings constants', async () => {
    const { trace, load } = await loadOf('', byHeader('enable_predictable_debug_timings'))
    const phase = (since: number) => ({
      duration_nanoseconds: 5,
      duration_pretty: '5ns',
      duration_since_start_nanoseconds: since,
      duration_since_start_pretty: `${since}ns`,
    })
    expect(trace.info).toEqual({
      trace_start_time: '',
      trace_start_unix: 0,
      parse_stats: phase(5),
      normalize_stats: phase(10),
      validate_stats: phase(15),
      planner_stats: phase(20),
    })
    const event = { duration_since_start_nanoseconds: 1, duration_since_start_pretty: '1ns' }
    expect(load).toMatchObject({ ...event, duration_load_nanoseconds: 1, duration_load_pretty: '1ns' })
    expect(load.load_stats).toEqual({
      get_conn: event,
      got_conn: event,
      wrote_headers: event,
      wrote_request: event,
      got_first_response_byte: event,
    })
    for (const side of [load.input, load.output]) {
      const names = side !== undefined && 'headers' in side ? Object.keys(side.headers) : ['traceparent']
      expect(names.filter((name) => /date|traceparent|request-id/i.test(name))).toEqual([])
    }
  })
})

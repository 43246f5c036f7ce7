/** Traces of requests to compositions that are there, are not there, or are not there yet. */
import { parseTrace } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { post, routerOn } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { TRACED, traced } from './traced.ts'

const QUERY = { query: '{ version }' }

const stack = new AsyncDisposableStack()
let shop: Shop

beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

async function serving(settings = 'dev_mode: true') {
  await using parts = new AsyncDisposableStack()
  const world = parts.use(await ConfigWorld.create())
  await world.publish({
    revision: 7,
    base: shop.base,
    flags: { next: shop.flag, broken: brokenArtifact() },
  })
  const router = parts.use(await routerOn(world, { settings }))
  const rest = parts.move()
  return { router, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}

describe('the composition of a trace', () => {
  it.each<readonly [string, Record<string, string>, string, string | null, string]>([
    ['no flag', {}, 'none', null, 'products'],
    ['a flag by header', { 'x-feature-flag': 'next' }, 'header', 'next', 'products-next'],
    ['a flag by cookie', { cookie: 'feature_flag=next' }, 'cookie', 'next', 'products-next'],
    [
      'two flags, of which the header wins',
      { 'x-feature-flag': 'next', cookie: 'feature_flag=gone' },
      'header',
      'next',
      'products-next',
    ],
    ['a flag that there is not', { 'x-feature-flag': 'gone' }, 'unknown', null, 'products'],
    ['a flag that cannot be built', { 'x-feature-flag': 'broken' }, 'not-served', null, 'products'],
  ])('for %s says which it was, and why', async (_, headers, reason, flag, answer) => {
    await using world = await serving()
    await world.router.ready
    const { reply, trace, fetches } = await traced(world.router, QUERY, headers)
    expect(reply.json.data).toEqual({ version: answer })
    expect(trace.composition).toEqual({
      feature_flag: flag,
      reason,
      artifact: (flag === null ? shop.base : shop.flag).sha256,
      revision: 7,
    })
    expect(fetches).toMatchObject([{ source_id: 'products', source_name: answer }])
  })

  it('that is built only when it is asked for is waited for, which the trace tells beside its phases', async () => {
    await using world = await serving('dev_mode: true\nflags: { build_ahead: false }')
    await world.router.ready
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => post(world.router, QUERY, { ...TRACED, 'x-feature-flag': 'next' })),
    )
    const waits: string[] = []
    for (const reply of replies) {
      const { composition, info } = parseTrace(reply.json)
      expect(composition).toMatchObject({ feature_flag: 'next', reason: 'header' })
      waits.push(...(info.waits ?? []).map((wait) => wait.for))
      expect(Object.keys(info).filter((name) => name !== 'waits')).toEqual([
        'trace_start_time',
        'trace_start_unix',
        'parse_stats',
        'normalize_stats',
        'validate_stats',
        'planner_stats',
      ])
    }
    // Those that come when it is compiled wait for nothing.
    expect(new Set(waits)).toEqual(new Set(['flag']))
  })

  it('that does not exist yet leaves nobody to ask for a trace: the answer is that of any request', async () => {
    await using world = await ConfigWorld.create()
    for (const settings of ['dev_mode: true', '']) {
      await using router = await routerOn(world, { settings })
      for (const headers of [{}, TRACED, { ...TRACED, 'x-vendor-token': 'garbage' }]) {
        const { status, json } = await post(router, QUERY, headers)
        expect([status, json.errors?.[0]?.extensions['code']]).toEqual([503, 'NOT_READY'])
        expect(json).not.toHaveProperty('extensions')
      }
    }
  })
})

import { TraceSchema, type Trace } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, type TestRouter } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const SETTINGS = `
flags: { build_ahead: false }
engine: { force_unauthenticated_request_tracing: true }
`

async function traced(router: TestRouter, flag: string, trace = 'true'): Promise<Trace> {
  const headers = { 'x-feature-flag': flag, 'x-vendor-trace': trace }
  const { text } = await post(router, { query: '{ version }' }, headers)
  const { extensions }: { readonly extensions: { readonly trace: unknown } } = JSON.parse(text)
  return TraceSchema.parse(extensions.trace)
}
const waitsOf = ({ info }: Trace) => (info.waits ?? []).map((wait) => wait.for)

describe('a trace', () => {
  it('says how long its request waited for the composition of its flag', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
    await using router = await routerOn(world, { settings: SETTINGS })
    await router.ready
    const { info } = await traced(router, 'next')
    const wait = info.waits?.find((each) => each.for === 'flag')
    const began = wait?.duration_since_start_nanoseconds ?? 0
    const took = wait?.duration_nanoseconds ?? 0
    expect(took).toBeGreaterThan(0)
    expect(info.parse_stats?.duration_since_start_nanoseconds).toBeGreaterThanOrEqual(began + took)
    expect(waitsOf(await traced(router, 'next'))).not.toContain('flag')
    expect(waitsOf(await traced(router, 'unknown'))).not.toContain('flag')
  })

  it('with predictable timings names no waits, which differ from run to run', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
    await using router = await routerOn(world, { settings: SETTINGS })
    await router.ready
    const trace = await traced(router, 'next', 'enable_predictable_debug_timings')
    expect('waits' in trace.info).toBe(false)
  })
})

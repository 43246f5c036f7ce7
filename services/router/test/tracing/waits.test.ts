import { compose } from '@switchyard/composition'
import type { Trace } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltArtifact, packed } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { settingsOf } from '../concerns/authentication/opened.ts'
import { post, routerOn, type TestRouter } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'
import { newSigningKey, sign, startKeyServer } from '../support/token-issuer.ts'
import { namesOf, traceOf, waitsOf } from './waits-of.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const SETTINGS = `
flags: { build_ahead: false }
engine: { force_unauthenticated_request_tracing: true }
`

/** A composition whose subgraph nobody has to ask for what the test selects. */
function takingLists(): BuiltArtifact {
  const input = {
    name: 'lists',
    sdl: 'type Query { all(of: [Int!]): Int }',
    routingUrl: 'http://127.0.0.1:9/',
  }
  const result = compose({ subgraphs: [input] })
  if (result.kind === 'failed') throw new Error(JSON.stringify(result.errors))
  return packed({
    formatVersion: 1,
    supergraphSdl: result.supergraphSdl,
    subgraphs: [{ name: input.name, routingUrl: input.routingUrl }],
    compatibilityVersion: 'v0.3',
  })
}

async function traced(router: TestRouter, flag: string, trace = 'true'): Promise<Trace> {
  const headers = { 'x-feature-flag': flag, 'x-vendor-trace': trace }
  return traceOf((await post(router, { query: '{ version }' }, headers)).text)
}

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
    expect(namesOf(await traced(router, 'next'))).not.toContain('flag')
    expect(namesOf(await traced(router, 'unknown'))).not.toContain('flag')
  })

  it('says how long its request waited for the keys of a token', async () => {
    const [known, later] = [await newSigningKey('known'), await newSigningKey('later')]
    await using keys = await startKeyServer(known.publicJwk)
    const authentication = settingsOf({
      jwks: [{ url: keys.url }],
      headers: [{ name: 'Authorization' }],
    })
    const settings = JSON.stringify({
      ...authentication,
      engine: { force_unauthenticated_request_tracing: true },
    })
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base })
    await using router = await routerOn(world, { settings })
    await router.ready
    const asked = Promise.withResolvers<() => void>()
    keys.answer((_, response) => {
      const body = JSON.stringify({ keys: [known.publicJwk, later.publicJwk] })
      asked.resolve(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      })
    })
    const headers = { 'x-vendor-trace': 'true', authorization: `Bearer ${await sign(later)}` }
    const answering = post(router, { query: '{ version }' }, headers)
    const answerKeys = await asked.promise
    answerKeys()
    const { text } = await answering
    expect(waitsOf(text)).toContain('token')
    // Without a token nobody looks for keys.
    const without = await post(router, { query: '{ version }' }, { 'x-vendor-trace': 'true' })
    expect(waitsOf(without.text)).not.toContain('token')
  })

  it('says how long its request waited for its turns while many variables were read', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: takingLists() })
    await using router = await routerOn(world, { settings: SETTINGS })
    await router.ready
    const query = 'query Q($of: [Int!], $no: Boolean!) { __typename all(of: $of) @include(if: $no) }'
    const ask = async (of: readonly number[]) => {
      const reply = await post(router, { query, variables: { of, no: false } }, { 'x-vendor-trace': 'true' })
      expect(reply.json.data).toEqual({ __typename: 'Query' })
      return waitsOf(reply.text)
    }
    expect(await ask(Array<number>(200_000).fill(1))).toContain('turn')
    expect(await ask([1])).not.toContain('turn')
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

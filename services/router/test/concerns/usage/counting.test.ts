/** What a running router tells of the requests that it answers. */
import { ALL_ROUTER_USAGE, type RouterUsage } from '@switchyard/contracts'
import { createLogger, hearUsage } from '@switchyard/service-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { FLEET_KEY } from '../../support/guarded-router.ts'
import { post, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const START = Date.parse('2026-11-30T10:00:00Z')

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

async function start(use: AsyncDisposableStack, settings = '') {
  const world = use.use(await ConfigWorld.create())
  const heard: RouterUsage[] = []
  let now = START
  use.use(
    hearUsage({
      subscribe: (handler) => world.announcer.subscribe(ALL_ROUTER_USAGE, handler),
      fleetKey: FLEET_KEY,
      logger: createLogger({ name: 'test', to: { write: () => {} } }),
      onUsage: (usage) => heard.push(usage) > 0,
    }),
  )
  const previews = { 'pr-1': { of: shop.flag, expires: '2027-01-01T00:00:00.000Z' } }
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag }, previews })
  const router = use.use(
    await routerOn(world, {
      settings: `previews: { serve: true }\n${settings}`,
      fleetKey: FLEET_KEY,
      overrides: { now: () => now, random: () => 0, usageInterval: 20 },
    }),
  )
  await router.ready
  const minute = async () => {
    now += 60_000
    return await until(() => heard.find((usage) => usage.minute === now / 60_000 - 1), 'the minute is told')
  }
  return { heard, minute, router, world }
}

/** Requests and errors by flag, client and operation. */
const rowsOf = ({ rows, clients, compositions, operations }: RouterUsage) =>
  rows
    .map(({ composition, client, operation, requests, errors }) => {
      const { flag = null, isPreview = false } = compositions[composition] ?? {}
      const { name = null, version = null } = clients[client] ?? {}
      const asked = [operations[operation]?.kind, operations[operation]?.name]
      return [...asked, isPreview ? `preview ${flag}` : flag, name, version, requests, errors].join(' ')
    })
    .sort()

const ask = (router: TestRouter, query: string, headers: Record<string, string> = {}, variables = {}) =>
  post(router, { query, variables }, headers)

describe('the usage that a router tells', () => {
  it('is counted by operation, client, flag and preview, and signed', async () => {
    await using use = new AsyncDisposableStack()
    const { heard, minute, router, world } = await start(use)
    const ios = { 'graphql-client-name': 'ios', 'graphql-client-version': '3.2' }
    await ask(router, 'query V { version }', ios)
    await ask(router, 'query V { version }', ios)
    await ask(router, 'query V { version }', { 'x-feature-flag': 'next' })
    await ask(router, 'query V { version }', { 'x-feature-flag': 'pr-1' })
    await ask(router, 'query F { fails }')
    await ask(router, 'mutation R { rename(upc: "1", name: "secret") { name } }')
    await ask(router, 'query Invalid { nothing }')
    await ask(router, 'query Refused($upc: ID!) { product(upc: $upc) { name } }')
    const told = await minute()
    expect(rowsOf(told)).toEqual(
      [
        'mutation R   1 0',
        'query F   1 1',
        'query V   ios 3.2 2 0',
        'query V next   1 0',
        'query V preview pr-1   1 0',
      ].map((row) => expect.stringMatching(new RegExp(`^${row.replaceAll(/ +/g, ' +')}$`))),
    )
    expect(told.rest).toMatchObject([{ requests: 2, errors: 2, coordinates: [] }])
    expect([told.boot, told.instance]).toEqual([world.heartbeats.at(-1)?.boot, 'r1'])
    expect(told.documents.find(({ text }) => text?.startsWith('mutation') === true)).toMatchObject({
      text: 'mutation R {\n  rename(upc: "", name: "") {\n    name\n  }\n}',
      coordinates: ['Mutation.rename', 'Mutation.rename(name:)', 'Mutation.rename(upc:)', 'Product.name'],
    })
    expect(rowsOf(await minute()), 'a minute without requests').toEqual([])
    await ask(router, 'query V { version }')
    await router[Symbol.asyncDispose]()
    await until(() => heard.at(-1)?.rows.length === 1, 'the last minute is told at the stop')
  })

  it('counts each operation of a batch, and requests that join an equal one', async () => {
    await using use = new AsyncDisposableStack()
    const { minute, router } = await start(use, 'batching: { enabled: true }')
    await send(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: 'query A { version }' }, { query: 'query B { version }' }]),
    })
    const slow = 'query Slow { slow(milliseconds: 300) }'
    await Promise.all([ask(router, slow), ask(router, slow), ask(router, slow)])
    const told = await minute()
    expect(
      told.rows.map(({ operation, requests }) => [told.operations[operation]?.name, requests]).sort(),
    ).toEqual([
      ['A', 1],
      ['B', 1],
      ['Slow', 3],
    ])
  })

  it('is nothing where it is switched off', async () => {
    await using use = new AsyncDisposableStack()
    const { heard, router, world } = await start(use, 'usage: { enabled: false }')
    await ask(router, 'query V { version }')
    const beats = world.heartbeats.length
    await router[Symbol.asyncDispose]()
    await until(() => world.heartbeats.length > beats, 'the router said that it stops')
    expect(heard).toEqual([])
  })
})

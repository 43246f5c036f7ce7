import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { type Client, type Shop, SDL, startShop } from '../harness.ts'

const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }
const ROUTING_URL = 'http://localhost:4201/graphql'

/** In the graph `shop`; null when the flag is not listed there. */
async function stateOf(client: Client, flag = 'new'): Promise<string | null> {
  const { body } = await client.get(`/v1/feature-flags/default/${flag}`)
  const { graphs } = body as { graphs: { graph: string; state: string }[] }
  const states = graphs.filter(({ graph }) => graph === 'shop').map(({ state }) => state)
  expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
    featureFlags: expect.arrayContaining(states.map((state) => ({ name: flag, state }))),
  })
  return states[0] ?? null
}

async function expectState(client: Client, state: string | null): Promise<void> {
  await vi.waitFor(async () => expect(await stateOf(client)).toBe(state), PATIENTLY)
}

/** A second member, and a graph that has the flag already. */
async function startWithFlag(): Promise<Shop> {
  const shop = await startShop()
  await shop.client.post('/v1/feature-flags/default', FLAG)
  await expectState(shop.client, 'served')
  return shop
}

const breakBase = async ({ client, downstream }: Shop, sdl = 'type Query { broken: Int }') => {
  downstream.failing.add(null)
  await client.put('/v1/subgraphs/default/orders/schema', { sdl })
}

type Change = (shop: Shop) => Promise<unknown>

describe('the state of a flag that was served', () => {
  it.each<[string, string | null, Change]>([
    [
      'is not served any more',
      'not served: the flag is disabled',
      ({ client }) => client.post('/v1/feature-flags/default/new/disable', {}),
    ],
    [
      'has lost its only member',
      'not served: it has no feature subgraph any more',
      ({ client }) => client.delete('/v1/subgraphs/default/orders-next'),
    ],
    [
      'has lost its base and with it its members',
      'not served: it has no feature subgraph any more',
      ({ client }) => client.delete('/v1/subgraphs/default/orders'),
    ],
    [
      'replaces what has left the graph',
      'not served: it replaces "orders", which takes no part in this graph',
      ({ client }) => client.patch('/v1/subgraphs/default/orders', { labels: ['a=b'] }),
    ],
    [
      'has other labels now',
      null,
      ({ client }) => client.patch('/v1/feature-flags/default/new', { labels: ['a=b'] }),
    ],
    [
      'is not chosen by the graph any more',
      null,
      ({ client }) => client.patch('/v1/graphs/default/shop', { labelMatchers: ['a=b'] }),
    ],
    [
      'has only members without a schema',
      'not served: none of its feature subgraphs has a published schema',
      async ({ client }) => {
        const bare = { name: 'bare', routingUrl: ROUTING_URL, subgraph: 'orders' }
        await client.post('/v1/feature-subgraphs/default', bare)
        await client.patch('/v1/feature-flags/default/new', { featureSubgraphs: ['bare'] })
      },
    ],
    [
      'fails, while the base is good',
      'not served: its composition fails (INVALID_FIELD_SHARING: no)',
      async ({ client, downstream }) => {
        downstream.failing.add('new')
        await client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${SDL} # worse` })
      },
    ],
    ['is not touched while the base breaks', 'served', (shop) => breakBase(shop)],
    [
      'is switched off while the base is broken',
      'not served: the flag is disabled',
      async (shop) => {
        await breakBase(shop)
        await shop.client.post('/v1/feature-flags/default/new/disable', {})
      },
    ],
    [
      'is switched off and on again while the base is broken',
      'not served: the base composition fails',
      async (shop) => {
        await breakBase(shop)
        await shop.client.post('/v1/feature-flags/default/new/disable', {})
        await shop.client.post('/v1/feature-flags/default/new/enable', {})
      },
    ],
    [
      'fails, while the base is broken',
      'served',
      async (shop) => {
        await breakBase(shop)
        shop.downstream.failing.add('new')
        await shop.client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${SDL} # worse` })
      },
    ],
    [
      'got a member without a schema beside the one that it has',
      'served',
      async ({ client }) => {
        await client.put('/v1/subgraphs/default/other/schema', { sdl: SDL, routingUrl: ROUTING_URL })
        const bare = { name: 'bare', routingUrl: ROUTING_URL, subgraph: 'other' }
        await client.post('/v1/feature-subgraphs/default', bare)
        await client.patch('/v1/feature-flags/default/new', { featureSubgraphs: ['bare', 'orders-next'] })
      },
    ],
    [
      'is held on a revision that has it',
      'served',
      ({ client }) => client.put('/v1/graphs/default/shop/pin', { revision: 2 }),
    ],
    [
      'is held on a revision that does not have it',
      'not served: the graph is held on revision 1, which does not have it',
      ({ client }) => client.put('/v1/graphs/default/shop/pin', { revision: 1 }),
    ],
    [
      'fails, while the graph is held on a revision that has it',
      'served',
      async ({ client, downstream }) => {
        await client.put('/v1/graphs/default/shop/pin', { revision: 2 })
        downstream.failing.add('new')
        await client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${SDL} # worse` })
      },
    ],
  ])('when it %s: %s', async (_, state, change) => {
    await using shop = await startWithFlag()
    await change(shop)
    await expectState(shop.client, state)
  })

  it.each<[string, Change]>([
    ['is disabled', ({ client }) => client.post('/v1/feature-flags/default/new/disable', {})],
    ['has other labels', ({ client }) => client.patch('/v1/feature-flags/default/new', { labels: ['a=b'] })],
    ['loses its member', ({ client }) => client.delete('/v1/subgraphs/default/orders-next')],
    [
      'fails',
      async ({ client, downstream }) => {
        downstream.failing.add('new')
        await client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${SDL} # worse` })
      },
    ],
    [
      'changes',
      ({ client }) => client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${SDL} # better` }),
    ],
    ['is taken away by a pin', ({ client }) => client.put('/v1/graphs/default/shop/pin', { revision: 1 })],
  ])('is pending until routers were told, when it %s', async (_, change) => {
    await using shop = await startWithFlag()
    shop.downstream.publishConfigs = false
    await change(shop)
    await expectState(shop.client, 'pending')
  })
})

describe('the state of a flag of a graph that was created again', () => {
  it('is that of the new graph', async () => {
    await using shop = await startWithFlag()
    const { client, downstream } = shop
    await client.delete('/v1/graphs/default/shop')
    await downstream[Symbol.asyncDispose]()
    await client.post('/v1/graphs/default?wait=0', { name: 'shop' })
    expect(await stateOf(client)).toBe('pending')
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      base: 'pending',
      compositions: [],
    })
  })
})

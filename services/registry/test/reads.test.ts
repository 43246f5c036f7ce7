import { createHash } from 'node:crypto'
import { FederatedGraphDetail } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { outcome, problemOf, refusal, ROUTING_URL, SDL, startShop } from './harness.ts'

const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the details of one resource', () => {
  it('are, of a graph, its flags with their states, its newest compositions and its routers', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    await client.post('/v1/feature-flags/default', FLAG)
    await client.post('/v1/feature-flags/default', { ...FLAG, name: 'off', enabled: false })
    await client.post('/v1/feature-flags/default', { ...FLAG, name: 'elsewhere', labels: ['a=b'] })
    downstream.failing.add('new')
    await client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${SDL} # newer` })
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      namespace: 'default',
      name: 'shop',
      subgraphs: ['orders'],
      base: 'composed',
      pinnedRevision: null,
      featureFlags: [
        { name: 'new', state: expect.stringMatching(/^not served: its composition fails/) },
        { name: 'off', state: 'not served: the flag is disabled' },
      ],
      compositions: [
        { graph: 'shop', featureFlag: null, status: 'unchanged' },
        { graph: 'shop', featureFlag: 'new', status: 'failed', errorCount: 1 },
      ],
      routers: { serving: 0, total: 0 },
    })
  })

  it('tell since which change a composition has failed without a break', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    const failing = async () => {
      const { body } = await client.get('/v1/graphs/default/shop')
      return FederatedGraphDetail.parse(body).failing
    }
    const publish = async (sdl: string) =>
      outcome(await client.put('/v1/subgraphs/default/orders/schema', { sdl })).sequence
    const before = outcome(await client.post('/v1/feature-flags/default', FLAG)).sequence
    expect(await failing()).toEqual([])
    downstream.failing.add('new')
    const first = await publish(`${SDL} # one`)
    const since = { featureFlag: 'new', after: before, sequence: first }
    expect(await failing()).toEqual([since])
    // The flag goes on failing while base begins to.
    downstream.failing.add(null)
    const second = await publish(`${SDL} # two`)
    expect(await failing()).toEqual([{ featureFlag: null, after: first, sequence: second }, since])
    downstream.failing.clear()
    const third = await publish(`${SDL} # three`)
    expect(await failing()).toEqual([])
    downstream.failing.add('new')
    const fourth = await publish(`${SDL} # four`)
    expect(await failing()).toEqual([{ featureFlag: 'new', after: third, sequence: fourth }])
  })

  it('are, of a subgraph, where it takes part, what replaces it and which flags have it', async () => {
    await using shop = await startShop()
    const { client } = shop
    await client.post('/v1/graphs/default', { name: 'other', labelMatchers: ['a=b'] })
    await client.post('/v1/feature-flags/default', FLAG)
    expect((await client.get('/v1/subgraphs/default/orders')).body).toMatchObject({
      bytes: SDL.length,
      schema: sha256(SDL),
      graphs: ['shop'],
      featureSubgraphs: ['orders-next'],
      featureFlags: [],
    })
    expect((await client.get('/v1/subgraphs/default/orders-next')).body).toMatchObject({
      base: 'orders',
      graphs: ['shop'],
      featureSubgraphs: [],
      featureFlags: ['new'],
    })
    await client.post('/v1/feature-flags/default/new/disable', {})
    expect((await client.get('/v1/subgraphs/default/orders-next')).body).toMatchObject({ graphs: [] })
  })

  it('are, of a flag, its newest composition in every graph that it applies to', async () => {
    await using shop = await startShop()
    const { client } = shop
    await client.post('/v1/feature-flags/default', FLAG)
    await client.post('/v1/graphs/default', { name: 'twin' })
    expect((await client.get('/v1/feature-flags/default/new')).body).toMatchObject({
      name: 'new',
      graphs: [
        { graph: 'shop', state: 'served' },
        { graph: 'twin', state: expect.any(String) },
      ],
      compositions: [
        { graph: 'shop', featureFlag: 'new', status: 'composed' },
        { graph: 'twin', featureFlag: 'new', status: 'unchanged' },
      ],
    })
  })

  it.each([
    '/v1/graphs/default/x',
    '/v1/graphs/default/x/revisions',
    '/v1/graphs/default/x/errors',
    '/v1/graphs/default/x/execution-config',
    '/v1/subgraphs/default/x',
    '/v1/subgraphs/default/x/schema',
    '/v1/feature-flags/default/x',
    '/v1/graphs/nowhere/shop',
    '/v1/namespaces/nowhere/snapshot',
    '/v1/graphs/default/constructor',
    '/v1/feature-flags/default/constructor',
  ])('are not there for what does not exist (%s)', async (path) => {
    await using shop = await startShop()
    expect(refusal(await shop.client.get(path))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('the schema of a subgraph', () => {
  it('is what was published, byte for byte', async () => {
    await using shop = await startShop()
    const { client } = shop
    const sdl = '\uFEFF# Grüße 🚀\r\ntype Query { hello: String }\n'
    await client.put('/v1/subgraphs/default/odd/schema?wait=0', { sdl, routingUrl: ROUTING_URL })
    expect((await client.get('/v1/subgraphs/default/odd/schema')).body).toEqual({
      namespace: 'default',
      name: 'odd',
      sha256: sha256(sdl),
      sdl,
    })
    await client.post('/v1/subgraphs/default?wait=0', { name: 'bare', routingUrl: ROUTING_URL })
    const reply = await client.get('/v1/subgraphs/default/bare/schema')
    expect(problemOf(reply).detail).toBe('No schema was published for "bare" yet.')
  })
})

describe('the snapshot of a namespace', () => {
  it('is everything in it, as of one record', async () => {
    await using shop = await startShop()
    const { client } = shop
    const { sequence } = outcome(await client.post('/v1/feature-flags/default', FLAG))
    expect((await client.get('/v1/namespaces/default/snapshot')).body).toEqual({
      namespace: 'default',
      sequence,
      graphs: [
        {
          name: 'shop',
          labelMatchers: [],
          pinnedRevision: null,
          publicUrl: null,
          allowUnenforcedAuthorization: false,
          documents: [],
        },
      ],
      subgraphs: [
        {
          name: 'orders',
          routingUrl: ROUTING_URL,
          labels: [],
          base: null,
          schema: { sha256: sha256(SDL), bytes: SDL.length },
        },
        expect.objectContaining({ name: 'orders-next', base: 'orders' }),
      ],
      featureFlags: [{ name: 'new', labels: [], featureSubgraphs: ['orders-next'], enabled: true }],
      rollouts: [],
      previews: [],
      previewHosts: [],
    })
  })
})

describe('the errors of a composition', () => {
  it('are all there, also those that the report leaves out', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    downstream.errors = Array.from({ length: 30 }, (_, index) => ({
      code: 'INVALID_FIELD_SHARING',
      message: `error ${index}`,
      subgraphs: ['orders'],
      locations: [{ subgraph: 'orders', line: 1, column: index + 1 }],
    }))
    downstream.failing.add('new')
    const created = outcome(await client.post('/v1/feature-flags/default', FLAG))
    expect(created.compositions[1]).toMatchObject({ errorCount: 30 })
    expect(created.compositions[1]?.errors).toHaveLength(20)
    const all = await client.get('/v1/graphs/default/shop/errors?featureFlag=new')
    expect(all.body).toMatchObject({ errors: downstream.errors })
    expect((await client.get('/v1/graphs/default/shop/errors')).body).toMatchObject({ errors: [] })
    downstream.failing.add(null)
    downstream.errors = downstream.errors.slice(0, 2)
    await client.put('/v1/subgraphs/default/orders/schema', { sdl: 'type Query { other: Int }' })
    expect((await client.get('/v1/graphs/default/shop/errors')).body).toMatchObject({
      errors: downstream.errors,
    })
  })

  it('are not there for what was not composed, with the reason', async () => {
    await using shop = await startShop()
    const { client } = shop
    await client.post('/v1/feature-flags/default', { ...FLAG, enabled: false })
    for (const flag of ['new', 'unknown']) {
      const reply = await client.get(`/v1/graphs/default/shop/errors?featureFlag=${flag}`)
      expect(refusal(reply)).toEqual([404, 'NOT_FOUND'])
      expect(problemOf(reply).detail).toContain(`feature flag "${flag}"`)
    }
  })
})

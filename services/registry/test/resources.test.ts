import { describe, expect, it } from 'vitest'
import { outcome, refusal, ROUTING_URL, SDL, startShop } from './harness.ts'

const NEXT = 'http://localhost:4201/graphql'
const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }

describe('changes of what exists', () => {
  it('replace the label matchers of a graph, and compose it again', async () => {
    await using system = await startShop()
    const { client } = system
    const updated = outcome(await client.patch('/v1/graphs/default/shop', { labelMatchers: ['team=a'] }))
    expect(updated).toMatchObject({ changed: true, affectedGraphs: ['shop'], pending: false })
    expect(updated.compositions).toMatchObject([{ graph: 'shop', status: 'empty' }])
    const again = await client.patch('/v1/graphs/default/shop', { labelMatchers: ['team=a'] })
    expect([again.status, outcome(again).changed]).toEqual([200, false])
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({ labelMatchers: ['team=a'] })
    expect(refusal(await client.patch('/v1/graphs/default/other', { labelMatchers: [] }))).toEqual([
      404,
      'NOT_FOUND',
    ])
  })

  it('move a subgraph to another address and to other labels', async () => {
    await using system = await startShop()
    const { client } = system
    await client.post('/v1/graphs/default', { name: 'team', labelMatchers: ['team=a'] })
    const routed = outcome(await client.patch('/v1/subgraphs/default/orders', { routingUrl: NEXT }))
    expect(routed).toMatchObject({ affectedGraphs: ['shop'], compositions: [{ status: 'composed' }] })
    const moved = outcome(await client.patch('/v1/subgraphs/default/orders', { labels: ['team=a'] }))
    expect(moved).toMatchObject({ affectedGraphs: ['shop', 'team'], pending: false })
    expect((await client.get('/v1/subgraphs/default/orders')).body).toMatchObject({
      routingUrl: NEXT,
      labels: ['team=a'],
      graphs: ['team'],
    })
    const labelled = await client.patch('/v1/subgraphs/default/orders-next', { labels: ['team=a'] })
    expect(refusal(labelled)).toEqual([400, 'INVALID_REQUEST'])
    expect(refusal(await client.patch('/v1/subgraphs/default/orders', {}))).toEqual([400, 'INVALID_REQUEST'])
  })

  it('replace the labels or the members of a flag', async () => {
    await using system = await startShop()
    const { client } = system
    await client.post('/v1/feature-flags/default', FLAG)
    const updated = outcome(await client.patch('/v1/feature-flags/default/new', { labels: ['a=b'] }))
    expect(updated).toMatchObject({ affectedGraphs: ['shop'], compositions: [{ featureFlag: null }] })
    expect((await client.get('/v1/feature-flags/default/new')).body).toMatchObject({
      labels: ['a=b'],
      graphs: [],
    })
    const wrong = await client.patch('/v1/feature-flags/default/new', { featureSubgraphs: ['orders', 'x'] })
    expect(refusal(wrong)).toEqual([422, 'FEATURE_FLAG_INVALID'])
  })

  it('delete flags, subgraphs with what replaces them, and graphs', async () => {
    await using system = await startShop()
    const { client } = system
    await client.post('/v1/feature-flags/default', FLAG)
    await client.post('/v1/feature-flags/default', { ...FLAG, name: 'gone' })
    expect(outcome(await client.delete('/v1/feature-flags/default/gone'))).toMatchObject({
      message: 'Feature flag "gone" was deleted.',
      affectedGraphs: ['shop'],
    })
    const cascade = outcome(await client.delete('/v1/subgraphs/default/orders'))
    expect(cascade.message).toContain('"orders-next"')
    expect(cascade.compositions).toMatchObject([{ status: 'empty' }])
    expect((await client.get('/v1/subgraphs/default')).body).toEqual({ subgraphs: [] })
    expect(outcome(await client.delete('/v1/graphs/default/shop'))).toMatchObject({
      changed: true,
      affectedGraphs: ['shop'],
      compositions: [],
      pending: false,
    })
    expect(refusal(await client.delete('/v1/graphs/default/shop'))).toEqual([404, 'NOT_FOUND'])
    expect(refusal(await client.get('/v1/graphs/default/shop'))).toEqual([404, 'NOT_FOUND'])
  })

  it('delete a namespace with everything in it, but not the one that always exists', async () => {
    await using system = await startShop()
    const { client } = system
    await client.post('/v1/namespaces', { name: 'team' })
    await client.put('/v1/subgraphs/team/s/schema', { sdl: SDL, routingUrl: ROUTING_URL })
    for (const name of ['a', 'b']) await client.post('/v1/graphs/team', { name })
    expect(outcome(await client.delete('/v1/namespaces/team'))).toMatchObject({
      affectedGraphs: ['a', 'b'],
      compositions: [],
      pending: false,
    })
    expect(refusal(await client.get('/v1/graphs/team'))).toEqual([404, 'NOT_FOUND'])
    expect(refusal(await client.delete('/v1/namespaces/default'))).toEqual([422, 'NAMESPACE_PROTECTED'])
  })

  it.each([
    '/v1/namespaces/team',
    '/v1/graphs/default/shop',
    '/v1/graphs/default/shop/pin',
    '/v1/subgraphs/default/orders',
    '/v1/feature-flags/default/new',
  ])(
    'are refused without a JSON content type (DELETE %s), and take an empty object as they take nothing',
    async (path) => {
      await using system = await startShop()
      const { client } = system
      const untyped = await client.request('DELETE', path)
      expect(refusal(untyped)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
      const body = await client.request('DELETE', path, {
        body: '{"force":true}',
        headers: { 'content-type': 'application/json' },
      })
      expect(refusal(body)).toEqual([400, 'INVALID_REQUEST'])
      const statuses = []
      for (const content of ['{}', '']) {
        const reply = await client.request('DELETE', path, {
          body: content,
          headers: { 'content-type': 'application/json' },
        })
        statuses.push(reply.status)
      }
      expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
    },
  )
})

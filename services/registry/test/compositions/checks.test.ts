import { SubgraphCheck } from '@switchyard/contracts/studio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outcome, problemOf } from '../harness.ts'
import { type ComposingShop, startComposingShop } from './composing-shop.ts'

const SDL = 'type Query { stock: Int depots: Int }'

let shop: ComposingShop
beforeAll(async () => {
  shop = await startComposingShop()
  await shop.publish('stock', SDL)
  await shop.publish('prices', 'type Query { price: Int }')
  await shop.publish('prices-next', 'type Query { price: Int cost: Int }', 'prices')
  const flag = { name: 'next', featureSubgraphs: ['prices-next'] }
  outcome(await shop.client.post('/v1/feature-flags/default', flag))
  outcome(await shop.client.post('/v1/feature-flags/default/next/enable', {}))
  const manifest = JSON.stringify({ a: '{ depots }' })
  outcome(await shop.client.put('/v1/graphs/default/shop/documents/web', { manifest }))
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
})

const ask = (body: object, name = 'stock') => shop.client.post(`/v1/checks/default/${name}`, body)
const check = async (body: object, name?: string) => SubgraphCheck.parse((await ask(body, name)).body)

describe('a check by the API', () => {
  it('tells compositions, changes and lost documents of base and flags, and publishes nothing', async () => {
    const before = (await shop.client.get('/v1/subgraphs/default/stock')).body
    const found = await check({ schema: 'type Query { stock: Int }' })
    expect(found).toMatchObject({
      name: 'stock',
      passes: false,
      message: 'Checked "stock"; nothing was published.',
    })
    expect(found.compositions.map(({ featureFlag, status }) => [featureFlag, status])).toEqual([
      [null, 'composed'],
      ['next', 'composed'],
    ])
    expect(found.changes).toMatchObject({ breaking: 2, dangerous: 0, safe: 0 })
    expect(found.changes.changes[0]).toMatchObject({ path: 'Query.depots', featureFlag: null })
    expect(found.documents).toMatchObject({
      tried: 1,
      unanswered: 1,
      lost: [{ id: 'a', manifests: ['web'] }],
    })
    expect((await shop.client.get('/v1/subgraphs/default/stock')).body).toEqual(before)
  })

  it('passes what breaks nobody, and tells errors of what does not compose', async () => {
    expect(await check({ schema: `${SDL} type More { a: Int }` })).toMatchObject({ passes: true })
    expect(await check({ schema: SDL })).toMatchObject({ passes: true, compositions: [] })
    const failed = await check({ schema: SDL.replace('stock: Int', 'stock: Missing') })
    expect(failed).toMatchObject({
      passes: false,
      compositions: [{ status: 'failed' }, { status: 'failed' }],
    })
    expect(failed.compositions[0]?.errors[0]?.locations[0]).toMatchObject({ subgraph: 'stock', line: 1 })
  })

  it('takes a new subgraph that is described, and refuses what is no schema', async () => {
    const news = { schema: 'type Query { news: Int }' }
    expect(problemOf(await ask(news, 'stok')).detail).toContain('Did you mean "stock"?')
    expect(await check({ ...news, labels: [] }, 'news')).toMatchObject({ passes: true, changes: { safe: 2 } })
    expect(problemOf(await ask({ schema: 'query { a }' })).code).toBe('SCHEMA_INVALID')
  })
})

import { CompositionDifference } from '@switchyard/contracts/studio'
import { afterAll, beforeAll, expect, describe, it } from 'vitest'
import { outcome, problemOf } from '../harness.ts'
import { type ComposingShop, startComposingShop } from './composing-shop.ts'

const KEY = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])'
const PRODUCTS = `${KEY} type Query { product: Product } type Product @key(fields: "id") { id: ID! name: String price: Float }`
const STOCK = `${KEY} type Query { depots: Int } type Product @key(fields: "id") { id: ID! count: Int }`

let shop: ComposingShop
beforeAll(async () => {
  shop = await startComposingShop()
  await shop.publish('stock', STOCK)
  await shop.publish('products', PRODUCTS)
  const next = PRODUCTS.replace('price: Float', 'cost: Int')
  await shop.publish('products-next', next, 'products')
  const flag = { name: 'next', featureSubgraphs: ['products-next'] }
  outcome(await shop.client.post('/v1/feature-flags/default', flag))
  outcome(await shop.client.post('/v1/feature-flags/default/next/enable', {}))
  await shop.publish('stock', STOCK.replace('count: Int', 'count: Int name2: String'))
  const manifest = JSON.stringify({
    a: 'query Priced { product { price } }',
    b: '{ product { name count } }',
    c: '{ depots }',
    d: '{ nowhere }',
  })
  const path = '/v1/graphs/default/shop/documents/web'
  const published = await shop.client.put(path, { manifest, clients: ['ios'] })
  expect(problemOf(published).code).toBe('DOCUMENTS_INVALID')
  const { d: _, ...valid } = JSON.parse(manifest)
  outcome(await shop.client.put(path, { manifest: JSON.stringify(valid), clients: ['ios'] }))
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
})

const get = (query: string, headers: Record<string, string> = {}) =>
  shop.client.request('GET', `/v1/graphs/default/shop/difference?${query}`, { headers })
const difference = async (query: string) => CompositionDifference.parse((await get(query)).body)

describe('the difference of two compositions', () => {
  it('tells changes of the client schema, and the plans of documents that change', async () => {
    const found = await difference('from=base&to=flag:next')
    expect(found.schema).toMatchObject({ breaking: 1, safe: 1 })
    expect(found.schema.changes[0]).toMatchObject({ criticality: 'breaking', path: 'Product.price' })
    expect(found.plans).toMatchObject({ operations: 3, notCompared: 0, refused: 0, changed: 3 - 1 })
    const [lost, moved] = found.plans?.changes ?? []
    expect(lost).toMatchObject({
      operationName: 'Priced',
      document: 'a',
      manifests: ['web'],
      clients: ['ios'],
      status: 'lost',
      from: { kind: 'planned', requests: 1, text: expect.stringContaining('Plan for a query: 1 request') },
      to: { kind: 'refused', message: expect.stringContaining('price') },
    })
    expect(moved).toMatchObject({
      document: 'b',
      status: 'changed',
      from: { requests: 2 },
      to: { requests: 2 },
    })
  })

  it('is empty between equal compositions, and is not sent twice', async () => {
    expect(await difference('from=base&to=base')).toMatchObject({
      schema: { breaking: 0, dangerous: 0, safe: 0, changes: [] },
      plans: { operations: 3, unchanged: 3, changes: [] },
    })
    const { headers } = await get('from=revision:1&to=base')
    const etag = headers.get('etag') ?? ''
    expect(await get('from=revision:1&to=base', { 'if-none-match': etag })).toMatchObject({ status: 304 })
    expect(problemOf(await get('from=revision:99&to=base')).code).toBe('NOT_FOUND')
    expect(problemOf(await get('from=base')).code).toBe('INVALID_REQUEST')
  })
})

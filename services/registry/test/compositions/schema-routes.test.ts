import { CompositionName, CompositionSchema, printCompositionName } from '@switchyard/contracts/studio'
import { CompositionSearch, CompositionType, CompositionTypes } from '@switchyard/contracts/studio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outcome, problemOf } from '../harness.ts'
import { type ComposingShop, startComposingShop } from './composing-shop.ts'

let shop: ComposingShop
beforeAll(async () => {
  shop = await startComposingShop()
  await shop.publish('products', 'type Query { product: Product } type Product { id: ID! price: Float }')
  await shop.publish(
    'products-next',
    'type Query { product: Product } type Product { id: ID! cost: Int }',
    'products',
  )
  outcome(
    await shop.client.post('/v1/feature-flags/default', {
      name: 'next',
      featureSubgraphs: ['products-next'],
    }),
  )
  outcome(await shop.client.post('/v1/feature-flags/default/next/enable', {}))
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  shop.client.request('GET', `/v1/graphs/default/shop/${path}`, { headers })
const fieldsOf = async (composition: string) =>
  CompositionType.parse((await get(`types/Product?composition=${composition}`)).body).fields.map(
    ({ name }) => name,
  )

describe('the routes of a schema', () => {
  it('answer for base, a flag, a revision, and a flag of a revision', async () => {
    const types = CompositionTypes.parse((await get('types')).body)
    expect(types).toMatchObject({ graph: 'shop', composition: 'base', names: ['Product', 'Query'] })
    expect(await fieldsOf('base')).toEqual(['id', 'price'])
    expect(await fieldsOf('flag:next')).toEqual(['id', 'cost'])
    expect(await fieldsOf('revision:1')).toEqual(['id', 'price'])
    expect(await fieldsOf('revision:2/flag:next')).toEqual(['id', 'cost'])
    const found = CompositionSearch.parse((await get('search?composition=flag:next&q=cos')).body)
    expect(found.matches.map(({ coordinate }) => coordinate)).toEqual(['Product.cost'])
  })

  it('answer with the whole of what clients see', async () => {
    const { sdl } = CompositionSchema.parse((await get('client-schema?composition=flag:next')).body)
    expect(sdl).toContain('type Product {\n  id: ID!\n  cost: Int\n}')
    expect(sdl).not.toContain('join__')
  })

  it('say what there is not', async () => {
    const detailOf = async (path: string) => problemOf(await get(path)).detail
    expect(await detailOf('types?composition=flag:nxt')).toContain(
      'composition flag:nxt of federated graph "shop"',
    )
    expect(await detailOf('types?composition=revision:9')).toContain('it has the revisions 1 to 2')
    expect(await detailOf('types?composition=revision:1/flag:next')).toContain('revision 1 does not have it')
    expect(await detailOf('types?composition=other')).toContain('revision:<number>/flag:<name>')
    expect(await detailOf('types/Prodct')).toBe(
      'There is no type "Prodct" in base of federated graph "shop". Did you mean "Product"?',
    )
  })

  it('are compressed, and not sent again to who has the composition', async () => {
    const { headers } = await get('types', { 'accept-encoding': 'gzip' })
    expect(headers.get('content-encoding')).toBe('gzip')
    const etag = headers.get('etag') ?? ''
    expect(await get('types', { 'if-none-match': etag })).toMatchObject({ status: 304, body: null })
    expect(await get('types?composition=flag:next', { 'if-none-match': etag })).toMatchObject({ status: 200 })
    const plain = await get('types', { 'accept-encoding': 'gzip;q=0, identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('answer with what is served while the newest composition fails', async () => {
    const { compositions } = await shop.publish('products', 'type Query { product: Product } type Product')
    expect(compositions.some(({ status }) => status === 'failed')).toBe(true)
    expect(await fieldsOf('base')).toEqual(['id', 'price'])
  })
})

describe('the name of a composition', () => {
  it('is written as it is read', () => {
    for (const name of ['base', 'flag:a/b@c', 'revision:7', 'revision:7/flag:a/b'])
      expect(printCompositionName(CompositionName.parse(name))).toBe(name)
    for (const name of ['', 'flag:', 'revision:0', 'revision:1/', 'flag:a\nb', 'Base', 'revision:1/flag:'])
      expect(CompositionName.safeParse(name).success).toBe(false)
  })
})

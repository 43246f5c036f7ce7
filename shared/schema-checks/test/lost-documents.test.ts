import { describe, expect, it } from 'vitest'
import type { CheckReport } from '../src/index.ts'
import { FEDERATION, Platform, statusesOf } from './platform.ts'

const PRODUCTS = `${FEDERATION}type Query { product(id: ID!): Product search(term: String): [Product!]! }
type Product @key(fields: "id") { id: ID! name: String price: Int }
`
const NEXT = PRODUCTS.replace('name: String', 'name: String title: String')
const STOCK = `${FEDERATION}type Query { depot: Depot }
type Depot { city: String }
`
const PRICE = 'query Price {\n  product(id: "1") { price }\n}'
const CITY = '{ depot { city } }'
const TITLE = 'query Title { product(id: "1") { title } }'
const BROKEN = '{ nobody }'

/** Graph `shop` of `products` and `stock`, in which flag `next` replaces `products`. */
function shop(...documents: Platform['documents']): Platform {
  const platform = new Platform()
    .graph('shop', 'team=shop')
    .subgraph('products', PRODUCTS, 'team=shop')
    .subgraph('stock', STOCK, 'team=shop')
    .featureSubgraph('products-next', 'products', NEXT)
    .flag('next', ['products-next'], 'team=shop')
  platform.documents = documents
  return platform.serve()
}

const web = (manifest: Readonly<Record<string, string>>, ...clients: readonly string[]) => ({
  name: 'web',
  manifest,
  ...(clients.length === 0 ? {} : { clients }),
})

const without = (sdl: string, ...fields: readonly string[]) =>
  fields.reduce((text, field) => text.replace(field, ''), sdl)

/** `price in base, next`; with a `+` where something else answers it. */
function lostIn({ documents: { lost } }: CheckReport): readonly string[] {
  return lost.map(
    ({ id, answeredElsewhere, compositions }) =>
      `${id}${answeredElsewhere ? '+' : ''} in ${compositions.map(({ featureFlag }) => featureFlag ?? 'base').join(', ')}`,
  )
}

describe('documents that are published', () => {
  it('are lost where no composition answers them any more, which is told with the error and its place', async () => {
    const platform = shop(web({ price: PRICE, city: CITY, broken: BROKEN }, 'ios'))
    platform.run(platform.publication('products-next', without(NEXT, 'price: Int'))).serve()
    const report = await platform.check(platform.publication('products', without(PRODUCTS, 'price: Int')))
    expect(report.documents).toEqual({
      tried: 3,
      unanswered: 1,
      partlyAnswered: 0,
      lost: [
        {
          graph: 'shop',
          id: 'price',
          manifests: ['web'],
          clients: ['ios'],
          operationName: 'Price',
          answeredElsewhere: false,
          compositions: [
            {
              featureFlag: null,
              message: 'Cannot query field "price" on type "Product".',
              locations: [{ line: 2, column: 22 }],
            },
          ],
          compositionCount: 1,
        },
      ],
    })
  })

  it('are told apart from those that a composition answers still, also one that does not change', async () => {
    const platform = shop(web({ price: PRICE }))
    const report = await platform.check(platform.publication('products', without(PRODUCTS, 'price: Int')))
    expect(statusesOf(report)).toEqual(['shop: composed', 'shop+next: unchanged'])
    expect(lostIn(report)).toEqual(['price+ in base'])
    expect(report.documents).toMatchObject({ unanswered: 0, partlyAnswered: 1 })
  })

  it('are lost in all compositions that a shared subgraph is part of', async () => {
    const platform = shop(web({ city: CITY, price: PRICE }))
    const report = await platform.check(platform.publication('stock', STOCK.replace('city', 'town')))
    expect(lostIn(report)).toEqual(['city in base, next'])
    expect(report.documents.lost[0]?.compositions[1]).toMatchObject({
      featureFlag: 'next',
      message: expect.stringContaining('Cannot query field "city" on type "Depot"'),
    })
  })

  it('are lost with the flag that answered them', async () => {
    const platform = shop(web({ title: TITLE, price: PRICE }))
    const report = await platform.check({ type: 'delete-subgraph', name: 'products-next' })
    expect(statusesOf(report)).toEqual(['shop: unchanged', 'shop+next: removed'])
    expect(lostIn(report)).toEqual(['title in next'])
    const changed = await platform.check(platform.publication('products-next', PRODUCTS))
    expect(lostIn(changed)).toEqual(['title in next'])
  })

  it('are told once where several manifests have them, with everybody who may use them', async () => {
    const own = (name: string, clients: readonly string[], manifest: Record<string, string>) => ({
      name,
      clients,
      manifest,
    })
    const platform = shop(
      own('ios', ['ios', 'tv'], { same: CITY, other: CITY }),
      own('tv', ['tv'], { same: CITY }),
      own('web', ['web'], { same: '{ depot { __typename city } }' }),
    )
    const report = await platform.check({ type: 'delete-subgraph', name: 'stock' })
    expect(report.documents).toMatchObject({
      tried: 3,
      unanswered: 3,
      lost: [
        { id: 'same', manifests: ['ios', 'tv'], clients: ['ios', 'tv'] },
        { id: 'same', manifests: ['web'], clients: ['web'] },
        { id: 'other', manifests: ['ios'], clients: ['ios', 'tv'] },
      ],
    })
  })

  it('are not blamed on a composition that fails, whose errors say enough', async () => {
    const platform = shop(web({ city: CITY, price: PRICE }))
    const clash = platform.publication('stock', `${FEDERATION}type Query { product: Int }`)
    const report = await platform.check(clash)
    expect(statusesOf(report)).toEqual(['shop: failed', 'shop+next: failed'])
    expect(report.documents).toMatchObject({ tried: 0, lost: [] })
  })

  it('are tried in no thread where no composition changes, or there are none', async () => {
    const change = without(PRODUCTS, 'price: Int')
    const none = shop()
    expect((await none.check(none.publication('products', change))).documents).toEqual({
      tried: 0,
      unanswered: 0,
      partlyAnswered: 0,
      lost: [],
    })
    const platform = shop(web({ price: PRICE }))
    const remark = await platform.check(platform.publication('products', `# a remark\n${PRODUCTS}`))
    expect(remark.documents).toMatchObject({ tried: 0, lost: [] })
  })

  it('that are many are counted, and the first ones told, what nothing answers before the others', async () => {
    const documents = (field: string, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `${field}${index}`,
          `{ depot { a${index}: ${field} } }`,
        ]),
      )
    const platform = shop(web({ price: PRICE, ...documents('city', 70) }))
    platform.featureSubgraph('stock-next', 'stock', STOCK).flag('depots', ['stock-next'], 'team=shop')
    platform.serve()
    const some = await platform.check(platform.publication('stock', STOCK.replace('city', 'town')))
    expect(some.documents).toMatchObject({ tried: 71, unanswered: 0, partlyAnswered: 70 })
    expect(some.documents.lost).toHaveLength(50)
    platform.documents = [
      web({ ...documents('city', 70), next: '{ depot { city } product(id: 1) { title } }' }),
    ]
    platform.serve()
    const both = await platform.check(platform.publication('stock', STOCK.replace('city', 'town')))
    expect(both.documents).toMatchObject({ unanswered: 1, partlyAnswered: 70, lost: { length: 50 } })
    expect(both.documents.lost[0]).toMatchObject({ id: 'next', answeredElsewhere: false })
  })

  it('of more than one task are each tried', async () => {
    const filler = `# ${'x'.repeat(150_000)}\n`
    const texts = Array.from({ length: 60 }, (_, index) => [
      `d${index}`,
      `${filler}{ depot { ${index % 20 === 7 ? 'city' : '__typename'} } }`,
    ])
    const platform = shop(web(Object.fromEntries(texts)))
    const report = await platform.check(platform.publication('stock', STOCK.replace('city', 'town')))
    expect(lostIn(report)).toEqual(['d7 in base, next', 'd27 in base, next', 'd47 in base, next'])
  })
})

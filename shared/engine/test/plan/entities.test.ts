import { describe, expect, it } from 'vitest'
import { fetches, planIn, worldOf } from './support/planned.ts'

const shop = worldOf({
  accounts: `
    type Query { me: User users: [User] }
    type User @key(fields: "id") { id: ID! name: String email: String @shareable }`,
  inventory: `
    type Product @key(fields: "upc") {
      upc: ID! inStock: Boolean
      price: Int @external weight: Int @external
      shippingEstimate(zip: String): Int @requires(fields: "price weight")
    }`,
  products: `
    type Query { topProducts(first: Int = 5): [Product] }
    type Product @key(fields: "upc") { upc: ID! name: String price: Int weight: Int }`,
  reviews: `
    type User @key(fields: "id") { id: ID! reviews: [Review] }
    type Product @key(fields: "upc") { upc: ID! reviews: [Review] }
    type Review { body: String author: User product: Product }`,
})

describe('entities across subgraphs', () => {
  it('needs one fetch for what one subgraph has', () => {
    expect(fetches(shop, '{ topProducts { name price } }')).toEqual(['0 products {topProducts{name price}}'])
  })

  it('asks for the key only where it is needed', () => {
    expect(fetches(shop, '{ me { name reviews { body } } }')).toEqual([
      '0 accounts {me{id name}}',
      '1 reviews after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on User{reviews{body}}}}',
    ])
  })

  it('starts fetches that do not depend on each other side by side', () => {
    expect(fetches(shop, '{ topProducts { inStock reviews { body } } me { name } }')).toEqual([
      '0 accounts {me{name}}',
      '1 products {topProducts{upc}}',
      '2 inventory after 1 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{inStock}}}',
      '3 reviews after 1 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{reviews{body}}}}',
    ])
  })

  it('fetches plain fields and fields with requirements of the same objects in one visit', () => {
    expect(fetches(shop, '{ topProducts { inStock shippingEstimate(zip: "1") } }')).toEqual([
      '0 products {topProducts{upc price weight}}',
      '1 inventory after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{inStock shippingEstimate(zip:"1")}}}',
    ])
  })

  it('sends key and requirements under their field names, whatever the client calls them', () => {
    const plan = planIn(shop.graph, '{ topProducts { upc: name price: weight shippingEstimate } }')
    const [input] = plan.fetches[1]?.parts[0]?.kind === 'entities' ? plan.fetches[1].parts[0].inputs : []
    expect(plan.fetches[0]?.document).toBe('{topProducts{_s0:upc _s1:price price:weight upc:name}}')
    expect(input?.cases[0]?.fields).toEqual([
      { kind: 'leaf', name: 'upc', source: { slot: 0, key: '_s0' }, isId: true, key: true },
      { kind: 'leaf', name: 'price', source: { slot: 0, key: '_s1' }, key: false },
      { kind: 'leaf', name: 'weight', source: { slot: 0, key: 'price' }, key: false },
    ])
  })

  it('collects the same entity from several places in one request', () => {
    expect(
      fetches(shop, '{ me { reviews { product { name } } } topProducts { reviews { author { name } } } }'),
    ).toEqual([
      '0 accounts {me{id}}',
      '1 products {topProducts{upc}}',
      '2 reviews after 0,1 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{reviews{author{id}}} ...on User{reviews{product{upc}}}}}',
      '3 accounts after 1,2 query($r0:[_Any!]!){_entities(representations:$r0){...on User{name}}}',
      '4 products after 0,2 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{name}}}',
    ])
  })

  it('keeps different selections of one entity apart, in one request', () => {
    const query = `{
      me { reviews { product { name } } }
      users { reviews { product { reviews { body } } } }
    }`
    expect(fetches(shop, query).at(-1)).toBe(
      '2 products after 0,1 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{name}}}',
    )
  })

  it('declares exactly the variables a document uses, with their defaults', () => {
    const query =
      'query ($n: Int = 2, $zip: String) { topProducts(first: $n) { shippingEstimate(zip: $zip) } }'
    expect(fetches(shop, query)).toEqual([
      '0 products query($n:Int=2){topProducts(first:$n){upc price weight}}',
      '1 inventory after 0 query($r0:[_Any!]!,$zip:String){_entities(representations:$r0){...on Product{shippingEstimate(zip:$zip)}}}',
    ])
  })

  it('does not clash with a client variable of the name it gives to representations', () => {
    const query = 'query ($r0: String) { topProducts { shippingEstimate(zip: $r0) } }'
    expect(fetches(shop, query)[1]).toContain('_entities(representations:$_r0)')
  })

  it('makes no fetch for a skipped field, nor for what only that field requires', () => {
    const query = 'query ($more: Boolean!) { topProducts { name shippingEstimate @include(if: $more) } }'
    expect(fetches(shop, query, { more: false })).toEqual(['0 products {topProducts{name}}'])
    expect(fetches(shop, query, { more: true })).toHaveLength(2)
  })

  it('makes no fetch at all when every root field is skipped or is a type name', () => {
    const plan = planIn(shop.graph, '{ kind: __typename me @skip(if: true) { name } }')
    expect(plan.fetches).toEqual([])
    expect(plan.shape.cases).toEqual([{ types: null, fields: [{ kind: 'typename', key: 'kind', group: 0 }] }])
  })

  it('gives dangerous response keys an internal alias', () => {
    const plan = planIn(shop.graph, '{ me { __proto__: name constructor: email toJSON: id } }')
    expect(plan.fetches[0]?.document).toBe('{me{_s0:name _s1:email _s2:id}}')
  })
})

import { describe, expect, it } from 'vitest'
import { fetches, lines, planIn, worldOf } from '../support/planned.ts'

const shop = worldOf({
  accounts: `
    type Query { users: [User] }
    type User @key(fields: "id") { id: ID! name: String username: String @shareable }`,
  inventory: `
    type Product @key(fields: "upc") {
      upc: String! weight: Int @external price: Int @external
      inStock: Boolean shippingEstimate: Int @requires(fields: "price weight")
    }`,
  products: `
    type Query { topProducts(first: Int = 5): [Product] }
    type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int }`,
  reviews: `
    type Review @key(fields: "id") { id: ID! body: String author: User @provides(fields: "username") product: Product }
    type User @key(fields: "id") { id: ID! username: String @external reviews: [Review] }
    type Product @key(fields: "upc") { upc: String! reviews: [Review] }`,
})

describe('batching', () => {
  it('lets an early call wait for a late one of the same subgraph if the response is no later for it', () => {
    const query = `
      query {
        users { ...User reviews { ...Review product { ...Product reviews { ...Review author { ...User reviews { ...Review product { ...Product } } } } } } }
        topProducts { ...Product reviews { ...Review author { ...User reviews { ...Review product { ...Product } } } } }
      }
      fragment User on User { id username name }
      fragment Review on Review { id body }
      fragment Product on Product { inStock name price shippingEstimate upc weight }`
    const found = fetches(shop, query)
    expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      '0 accounts',
      '1 products',
      '2 reviews',
      '3 accounts',
      '4 products',
      '5 inventory',
    ])
    expect(found[5]).toBe(
      '5 inventory after 0,1,2,4 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{inStock shippingEstimate}}}',
    )
  })

  it('makes the longest chain longer only where that is cheaper and wanted', () => {
    const world = worldOf({
      a: 'type Query { list: [E] } type E @key(fields: "id") { id: ID! }',
      b: 'type E @key(fields: "id") { id: ID! f: F late: Int @requires(fields: "z") z: Int @external } type F @key(fields: "id") { id: ID! }',
      c: 'type F @key(fields: "id") { id: ID! g: G } type G @key(fields: "id") { id: ID! }',
      d: 'type G @key(fields: "id") { id: ID! n: Int } type E @key(fields: "id") { id: ID! z: Int }',
    })
    const query = '{ list { f { g { n } } late } }'
    expect(fetches(world, query)).toEqual([
      '0 a {list{id}}',
      '1 d after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on E{z}}}',
      '2 b after 0,1 query($r0:[_Any!]!){_entities(representations:$r0){...on E{f{id} late}}}',
      '3 c after 0,2 query($r0:[_Any!]!){_entities(representations:$r0){...on F{g{id}}}}',
      '4 d after 0,2,3 query($r0:[_Any!]!){_entities(representations:$r0){...on G{n}}}',
    ])
    expect(lines(world.graph, planIn(world.graph, query, {}, { prefer: 'latency' }))).toEqual([
      '0 a {list{id}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on E{f{id}}}}',
      '2 d after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on E{z}}}',
      '3 b after 0,2 query($r0:[_Any!]!){_entities(representations:$r0){...on E{late}}}',
      '4 c after 0,1 query($r0:[_Any!]!){_entities(representations:$r0){...on F{g{id}}}}',
      '5 d after 0,1,4 query($r0:[_Any!]!){_entities(representations:$r0){...on G{n}}}',
    ])
  })

  it('does not ask a failing non-null field for a place that never selected it', () => {
    const world = worldOf({
      a: 'type Query { one: E two: E } type E @key(fields: "id") { id: ID! }',
      b: 'type E @key(fields: "id") { id: ID! may: Int must: Int! }',
    })
    expect(fetches(world, '{ one { may } two { may must } }')[1]).toBe(
      '1 b after 0 query($r0:[_Any!]!,$r1:[_Any!]!){_e0:_entities(representations:$r0){...on E{may}} _e1:_entities(representations:$r1){...on E{may must}}}',
    )
  })

  it('does not ask a required field of an interface object for types whose inputs are not sent', () => {
    const world = worldOf({
      a: `
        type Query { media: [Media] }
        interface Media @key(fields: "id") { id: ID! title: String }
        type Film implements Media @key(fields: "id") { id: ID! title: String }
        type Album implements Media @key(fields: "id") { id: ID! title: String }`,
      b: `
        type Media @interfaceObject @key(fields: "id") {
          id: ID! title: String @external stars: Int verdict: String @requires(fields: "title")
        }`,
    })
    expect(fetches(world, '{ media { stars ... on Film { verdict } } }')[1]).toBe(
      '1 b after 0 query($r0:[_Any!]!,$r1:[_Any!]!){_e0:_entities(representations:$r0){...on Media{stars}} _e1:_entities(representations:$r1){...on Media{verdict}}}',
    )
  })
})

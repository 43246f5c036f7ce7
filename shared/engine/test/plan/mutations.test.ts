import { describe, expect, it } from 'vitest'
import { fetches, worldOf } from './support/planned.ts'

const world = worldOf({
  a: `
    type Query { a: Int }
    type Mutation { multiply(by: Int!): Int addProduct: Product @shareable }
    type Product @key(fields: "id") { id: ID! name: String @shareable }`,
  b: `
    type Mutation { add(n: Int!): Int addProduct: Product @shareable }
    type Product @key(fields: "id") { id: ID! name: String @shareable price: Int }`,
  c: 'type Product @key(fields: "id") { id: ID! stock: Int }',
})

describe('mutations', () => {
  it('run their root fields in order, neighbours of one subgraph in one call', () => {
    expect(fetches(world, 'mutation { x: add(n: 5) y: multiply(by: 2) z: add(n: 2) w: add(n: 3) }')).toEqual([
      '0 b mutation{x:add(n:5)}',
      '1 a after 0 mutation{y:multiply(by:2)}',
      '2 b after 0,1 mutation{z:add(n:2) w:add(n:3)}',
    ])
  })

  it('call a shared root field once, where most of it is', () => {
    expect(fetches(world, 'mutation { addProduct { name price } }')).toEqual([
      '0 b mutation{addProduct{name price}}',
    ])
  })

  it('finish everything below a root field before the next one starts', () => {
    const found = fetches(world, 'mutation { addProduct { stock } multiply(by: 1) add(n: 1) }')
    expect(found).toEqual([
      '0 a mutation{addProduct{id}}',
      '1 c after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{stock}}}',
      '2 a after 0,1 mutation{multiply(by:1)}',
      '3 b after 0,1,2 mutation{add(n:1)}',
    ])
  })
})

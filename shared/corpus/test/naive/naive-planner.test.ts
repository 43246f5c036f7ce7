import { describe, expect, it } from 'vitest'
import { compose } from '@switchyard/composition'
import { compileSupergraph, openGraph, prepareOperation } from '@switchyard/engine'
import { FED2 } from '../../src/harness/suite.ts'
import { naiveRequestCount } from '../../src/naive/naive-planner.ts'

const SHOP = {
  catalogue: `
    type Query { top: Product all: [Product] same: Product @shareable }
    type Mutation { rename(id: ID!): Product retire(id: ID!): Product }
    type Product @key(fields: "id") { id: ID! name: String size: Size @shareable }
    type Size { width: Int @shareable depth: Int }`,
  stock: `
    type Query { same: Product @shareable }
    type Product @key(fields: "id") @key(fields: "upc") { id: ID! upc: ID! amount: Int size: Size @shareable }
    type Size { width: Int @shareable height: Int }`,
  prices: 'type Product @key(fields: "upc") { upc: ID! price: Int }',
  postage: `
    type Product @key(fields: "id") {
      id: ID! name: String @external price: Int @external
      label: String @requires(fields: "name") postage: Int @requires(fields: "price")
    }`,
}

const SHELF = {
  shelf: `
    type Query { items: [Item] }
    interface Item { parts: [Part] }
    type Book implements Item @key(fields: "id") { id: ID! parts: [Part] @shareable @provides(fields: "weight") }
    type Disc implements Item @key(fields: "id") { id: ID! parts: [Part] @shareable }
    type Part @key(fields: "id") { id: ID! weight: Int @external }`,
  scales: 'type Part @key(fields: "id") { id: ID! weight: Int @shareable }',
}

function count(query: string, sdls: Readonly<Record<string, string>> = SHOP): number | null {
  const subgraphs = Object.entries(sdls).map(([name, sdl]) => ({
    name,
    sdl: FED2 + sdl,
    routingUrl: `http://${name}.test/`,
  }))
  const composed = compose({ subgraphs })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  const graph = openGraph(compileSupergraph(composed.supergraphSdl))
  const operation = prepareOperation(graph, { document: query })
  return naiveRequestCount(graph, operation, operation.coerceVariables({}))
}

describe('the naive planner', () => {
  it('asks one subgraph once for what it has', () => {
    expect(count('{ top { id name } all { name } }')).toBe(1)
  })
  it('asks nobody for type names and skipped fields', () => {
    expect(count('{ __typename top @skip(if: true) { name } }')).toBe(0)
  })
  it('asks once more for what another subgraph has', () => {
    expect(count('{ top { name amount } }')).toBe(2)
  })
  it('asks anew at every place', () => {
    expect(count('{ top { amount } all { amount } again: top { amount } }')).toBe(4)
  })
  it('goes through a third subgraph for a key', () => {
    expect(count('{ top { price } }')).toBe(3)
  })
  it('uses the way there for fields, too', () => {
    expect(count('{ top { price amount } }')).toBe(3)
  })
  it('asks for each field with requirements by itself, after its inputs', () => {
    expect(count('{ top { label } }')).toBe(2)
    expect(count('{ top { label postage } }')).toBe(5)
  })
  it('takes a field from the subgraph the object came from', () => {
    expect(count('{ same { id name } }')).toBe(1)
  })
  it('takes what a field provides below the type of that field only', () => {
    expect(count('{ items { ... on Book { parts { weight } } } }', SHELF)).toBe(1)
    expect(count('{ items { parts { weight } } }', SHELF)).toBe(2)
  })
  it('keeps what works first, though there may be a cheaper way', () => {
    expect(count('{ same { amount } }')).toBe(2)
  })
  it('puts a value together from the subgraphs that have its parts', () => {
    expect(count('{ top { size { width depth } } }')).toBe(1)
    expect(count('{ top { size { width depth height } } }')).toBe(2)
  })
  it('asks for each mutation field by itself', () => {
    expect(count('mutation { rename(id: 1) { name } retire(id: 1) { name } }')).toBe(2)
  })
})

import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { sampleOperations, shrinkOperation, withoutFragmentSpreads, withoutSkipped } from '../src/index.ts'

const SCHEMA = buildSchema(`
  type Query { shop(id: ID!, filter: Filter, sort: Sort = UP): Shop, search(text: String!): [Hit!]! }
  type Mutation { open(shop: ID!): Shop }
  input Filter { open: Boolean! tags: [String!] below: Filter }
  enum Sort { UP DOWN }
  interface Named { name: String! owner: Person }
  type Shop implements Named { name: String! owner: Person shelves(first: Int = 3): [[Shelf!]] }
  type Shelf { label: String height: Float goods: [Hit] }
  type Person implements Named { name: String! owner: Person age: Int }
  union Hit = Shop | Person | Book
  type Book { pages: Int! }
`)

function asked(query: string): ReadonlySet<string> {
  return new Set(query.match(/\w+/g))
}

describe('generated operations', () => {
  const operations = sampleOperations(SCHEMA, { count: 60, seed: 3 })

  it('are valid', () => {
    for (const { query } of operations) expect(validate(SCHEMA, parse(query)).map(String), query).toEqual([])
  })

  it('are the same for the same seed, and others for another', () => {
    expect(sampleOperations(SCHEMA, { count: 60, seed: 3 })).toEqual(operations)
    expect(sampleOperations(SCHEMA, { count: 60, seed: 4 })).not.toEqual(operations)
  })

  it('reach every field of every type', () => {
    const covering = operations.filter(({ query }) => query.includes(' Covering'))
    const words = new Set(covering.flatMap(({ query }) => [...asked(query)]))
    for (const type of Object.values(SCHEMA.getTypeMap())) {
      if (!('getFields' in type) || type.name.startsWith('__') || type.name === 'Filter') continue
      for (const field of Object.keys(type.getFields())) expect([...words]).toContain(field)
    }
  })

  it('write nothing where only queries are wanted', () => {
    const queries = sampleOperations(SCHEMA, { count: 60, seed: 3, queriesOnly: true })
    expect(queries.some(({ query }) => query.includes('mutation'))).toBe(false)
    expect(operations.some(({ query }) => query.includes('mutation'))).toBe(true)
  })
})

describe('taking an operation apart', () => {
  it('leaves what it still needs to show the same, and nothing unused', async () => {
    const query = `query Q($id: ID!, $on: Boolean!) { shop(id: $id) { name ...F owner { age @include(if: $on) } } }
      fragment F on Shop { shelves { label height goods { ...G } } }
      fragment G on Book { pages }`
    const { query: smallest, variables } = await shrinkOperation(
      { name: 'q', query, variables: { id: '1', on: true } },
      {
        maxTrials: 200,
        stillShows: async (candidate) =>
          validate(SCHEMA, parse(candidate.query)).length === 0 && candidate.query.includes('height'),
      },
    )
    expect(smallest.replaceAll(/\s+/g, ' ')).toBe(
      'query Q($id: ID!) { shop(id: $id) { shelves { height } } }',
    )
    expect(variables).toEqual({ id: '1' })
  })
})

describe('the same question in plainer words', () => {
  const plain = (query: string | undefined) => query?.replaceAll(/\s+/g, ' ')

  it('has its conditions carried out', () => {
    const query =
      'query Q($a: Boolean!) { shop(id: 1) { name @skip(if: $a) owner @include(if: $a) { age } } }'
    const decided = withoutSkipped({ query, variables: { a: true } })
    expect(plain(decided?.query)).toBe('query Q { shop(id: 1) { owner { age } } }')
    const nothing = { query: '{ shop(id: 1) { name @skip(if: true) } }' }
    expect(withoutSkipped(nothing)).toBeNull()
    expect(plain(withoutSkipped(nothing, { fillEmpty: true })?.query)).toBe('{ shop(id: 1) { __typename } }')
  })

  it('has fragments in their places', () => {
    const query =
      '{ shop(id: 1) { ...A @skip(if: false) } } fragment A on Shop { ...B } fragment B on Named { name }'
    expect(plain(withoutFragmentSpreads(query))).toBe(
      '{ shop(id: 1) { ... on Shop @skip(if: false) { ... on Named { name } } } }',
    )
  })
})

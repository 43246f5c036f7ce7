import { describe, expect, it } from 'vitest'
import { worldOf } from '../../support/planned.ts'
import { fetchLines } from './planned.ts'

const shop = worldOf({
  products: `type Query { products: [Product!]! }
    union Product = Consultancy | Cosmo
    type Consultancy @key(fields: "upc") { upc: ID! lead: Employee! }
    type Cosmo @key(fields: "upc") { upc: ID! }
    type Employee @key(fields: "id") { id: Int! }`,
  family: `type Employee @key(fields: "id") { id: Int! isAvailable: Boolean! mentor: Employee }`,
  moods: `type Employee @key(fields: "id") { id: Int! mood: String }`,
  needs: `type Consultancy @key(fields: "upc") { upc: ID! lead: Employee! @external
      isLeadAvailable: Boolean @requires(fields: "lead { isAvailable }")
      isLeadReady: Boolean @requires(fields: "lead { isAvailable }")
      mentorsMood: String @requires(fields: "lead { mentor { mood } }") }
    type Employee @key(fields: "id") { id: Int! @external isAvailable: Boolean! @external mood: String @external
      mentor: Employee @external }`,
})
const CONSULTANCY = 'query($r0:[_Any!]!){_entities(representations:$r0){...on Consultancy'
const EMPLOYEE = 'query($r0:[_Any!]!){_entities(representations:$r0){...on Employee'

describe('inputs of a deferred field with @requires', () => {
  it('that another subgraph gives are fetched for the fragment', () => {
    expect(
      fetchLines('{ products { ... on Consultancy { upc ... @defer { isLeadAvailable } } } }', shop),
    ).toEqual([
      '0 products {products{__typename ...on Consultancy{upc lead{id}}}}',
      `for 1: 1 family after 0 ${EMPLOYEE}{isAvailable}}}`,
      `for 1: 2 needs after 0,1 ${CONSULTANCY}{isLeadAvailable}}}`,
    ])
  })

  it('are so through several subgraphs', () => {
    expect(
      fetchLines('{ products { ... on Consultancy { upc ... @defer { mentorsMood } } } }', shop),
    ).toEqual([
      '0 products {products{__typename ...on Consultancy{upc lead{id}}}}',
      `for 1: 1 family after 0 ${EMPLOYEE}{mentor{id}}}}`,
      `for 1: 2 moods after 0,1 ${EMPLOYEE}{mood}}}`,
      `for 1: 3 needs after 0,1,2 ${CONSULTANCY}{mentorsMood}}}`,
    ])
  })

  it('are fetched for each fragment by itself, so that none waits for a request of another', () => {
    expect(
      fetchLines(
        '{ products { ... on Consultancy { upc ... @defer { isLeadAvailable } ... @defer { isLeadReady } } } }',
        shop,
      ),
    ).toEqual([
      '0 products {products{__typename ...on Consultancy{upc lead{id}}}}',
      `for 1: 1 family after 0 ${EMPLOYEE}{isAvailable}}}`,
      `for 2: 2 family after 0 ${EMPLOYEE}{isAvailable}}}`,
      `for 1: 3 needs after 0,1 ${CONSULTANCY}{isLeadAvailable}}}`,
      `for 2: 4 needs after 0,2 ${CONSULTANCY}{isLeadReady}}}`,
    ])
  })

  it('are not fetched again where a field of the first part has the same', () => {
    expect(
      fetchLines('{ products { ... on Consultancy { isLeadReady ... @defer { isLeadAvailable } } } }', shop),
    ).toEqual([
      '0 products {products{__typename ...on Consultancy{upc lead{id}}}}',
      `1 family after 0 ${EMPLOYEE}{isAvailable}}}`,
      `2 needs after 0,1 ${CONSULTANCY}{isLeadReady}}}`,
      `for 1: 3 needs after 0,1 ${CONSULTANCY}{isLeadAvailable}}}`,
    ])
  })
})

it('nested keys that only a deferred fetch needs are fetched for its fragment', () => {
  const world = worldOf({
    a: `type Query { users: [User!]! } type User @key(fields: "id") { id: ID! org: Org! } type Org @key(fields: "code") { code: ID! }`,
    b: `type Org @key(fields: "code") { code: ID! number: Int! }`,
    c: `type User @key(fields: "org { number }") { org: Org! @external rank: Int } type Org { number: Int! @external }`,
  })
  expect(fetchLines('{ users { id ... @defer { rank } } }', world)).toEqual([
    '0 a {users{id org{code}}}',
    'for 1: 1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Org{number}}}',
    'for 1: 2 c after 0,1 query($r0:[_Any!]!){_entities(representations:$r0){...on User{rank}}}',
  ])
})

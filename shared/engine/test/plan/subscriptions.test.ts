import { describe, expect, it } from 'vitest'
import { printPlan } from '../../src/plan/print/print-plan.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { worldOf } from './support/planned.ts'

const world = worldOf({
  a: `
    type Query { count: Int }
    type Subscription { added(type: String): Product noted: Note }
    type Note { text: String query: Query }
    type Product @key(fields: "id") { id: ID! name: String weight: Int }`,
  b: `
    type Query { total: Int }
    type Product @key(fields: "id") { id: ID! price: Int weight: Int @external cost: Int @requires(fields: "weight") }`,
})

function planned(document: string): string {
  const operation = prepareOperation(world.graph, { document, subscriptions: true })
  return printPlan(world.graph, planOperation(operation, new Map()))
}

describe('the plan for a subscription', () => {
  it('has one call that sends the events, and what other subgraphs add to each', () => {
    expect(
      planned('subscription ($of: String) { added(type: $of) { name price cost } }'),
    ).toMatchInlineSnapshot(`
        "Plan for a subscription: 2 requests, depth 2, effort 2100
        Sequence
          Fetch 0 from "a" (level 1, effort 1000): root fields
            | subscription ($of: String) {
            |   added(type: $of) {
            |     id
            |     weight
            |     name
            |   }
            | }
          Fetch 1 from "b" after 0 (level 2, effort 1100): key "id", requires "weight" of Product.cost
            $r0 from added: { __typename: "Product" id weight }
            | query ($r0: [_Any!]!) {
            |   _entities(representations: $r0) {
            |     ... on Product {
            |       price
            |       cost
            |     }
            |   }
            | }
        "
      `)
  })

  it('asks other subgraphs by queries for root fields of queries', () => {
    expect(planned('subscription { noted { text query { count total } } }')).toMatchInlineSnapshot(`
      "Plan for a subscription: 2 requests, depth 2, effort 2100
      Sequence
        Fetch 0 from "a" (level 1, effort 1000): root fields
          | subscription {
          |   noted {
          |     text
          |     query {
          |       count
          |     }
          |   }
          | }
        Fetch 1 from "b" after 0 (level 2, effort 1100): root fields
          query root at noted.query
          | {
          |   total
          | }
      "
    `)
  })
})

describe('a subscription', () => {
  it('is refused where none are served', () => {
    expect(() => prepareOperation(world.graph, { document: 'subscription { noted { text } }' })).toThrow(
      'Subscriptions are not supported',
    )
  })

  it('has one root field', () => {
    const document = 'subscription { noted { text } added { name } }'
    expect(() => prepareOperation(world.graph, { document, subscriptions: true })).toThrow(
      'must select only one top level field',
    )
  })
})

import { expect, it } from 'vitest'
import { prepareOperation } from '../../../../src/operation/operation.ts'
import { worldOf } from '../../support/planned.ts'
import { planOperation } from '../../../../src/plan/plan-operation.ts'

it('keys that lead to each other do not keep deferred fields from being fetched later', () => {
  const { graph } = worldOf({
    a: `type Query { left: Left }
      type Left @key(fields: "right { left { id } }") @key(fields: "id") { id: ID! right: Right name: String }
      type Right @key(fields: "left { right { id } }") @key(fields: "id") { id: ID! left: Left }`,
    b: `type Left @key(fields: "right { left { id } }") { id: ID! right: Right @external size: Int }
      type Right { left: Left @external }`,
  })
  const document = '{ left { name ... @defer { size right { ... @defer { left { name } } } } } }'
  const plan = planOperation(prepareOperation(graph, { document, defer: true }), new Map())
  expect(plan.fetches.map(({ group }) => group)).toEqual([0, 1, 1, 2])
})

it('what a key of several parts is made of is not fetched again by that very key', () => {
  const { graph } = worldOf({
    a: `type Query { pairs: [Pair] }
      type Pair @key(fields: "halves { code }") { halves: [Half!]! name: String }
      type Half { code: ID! weight: Int }`,
    b: `type Pair @key(fields: "halves { code }") { halves: [Half!]! @external price: Int }
      type Half { code: ID! @external }`,
  })
  const fetches = (document: string) =>
    planOperation(prepareOperation(graph, { document, defer: true }), new Map()).fetches.map(
      ({ group, document }) => `${group} ${document}`,
    )
  expect(fetches('{ pairs { price ... @defer { halves { code } } } }')).toEqual([
    '0 {pairs{halves{code}}}',
    '0 query($r0:[_Any!]!){_entities(representations:$r0){...on Pair{price}}}',
  ])
  expect(fetches('{ pairs { price ... @defer { halves { weight } } } }')).toEqual([
    '0 {pairs{halves{code}}}',
    '1 query($r0:[_Any!]!){_entities(representations:$r0){...on Pair{halves{weight}}}}',
    '0 query($r0:[_Any!]!){_entities(representations:$r0){...on Pair{price}}}',
  ])
})

it('a key comes from whoever is asked for the same fragment anyway, not from a call of its own', () => {
  const { graph } = worldOf({
    list: 'type Query { parts: [Part!]! } type Part @key(fields: "code") { code: ID! }',
    'a-lengths':
      'type Part @key(fields: "code") @key(fields: "number") { code: ID! number: ID! length: Int }',
    'b-prices': 'type Part @key(fields: "number") { number: ID! price: Int }',
    'c-weights':
      'type Part @key(fields: "code") @key(fields: "number") { code: ID! number: ID! weight: Int }',
  })
  const calls = (document: string) =>
    planOperation(prepareOperation(graph, { document, defer: true }), new Map()).fetches.map(
      ({ group, subgraph }) => `${group} ${graph.compiled.subgraphs[subgraph]?.name}`,
    )
  expect(calls('{ parts { code ... @defer { price weight } } }')).toEqual([
    '0 list',
    '1 c-weights',
    '1 b-prices',
  ])
})

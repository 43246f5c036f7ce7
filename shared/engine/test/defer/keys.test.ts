import { expect, it } from 'vitest'
import { prepareOperation } from '../../src/operation/operation.ts'
import { worldOf } from '../plan/support/planned.ts'

it('keys that lead to each other do not keep deferred fields from being fetched later', () => {
  const { graph } = worldOf({
    a: `type Query { left: Left }
      type Left @key(fields: "right { left { id } }") @key(fields: "id") { id: ID! right: Right name: String }
      type Right @key(fields: "left { right { id } }") @key(fields: "id") { id: ID! left: Left }`,
    b: `type Left @key(fields: "right { left { id } }") { id: ID! right: Right @external size: Int }
      type Right { left: Left @external }`,
  })
  const document = '{ left { name ... @defer { size right { ... @defer { left { name } } } } } }'
  const plan = prepareOperation(graph, { document, defer: true }).plan(new Map())
  expect(plan.fetches.map(({ group }) => group)).toEqual([0, 1, 1, 2])
})

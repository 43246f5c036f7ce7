import { FED2 } from '../../../src/harness/suite.ts'
import type { FoundWorld } from './found-world.ts'

const NEXT = 'next: Node'

export const members: readonly FoundWorld[] = [
  {
    name: 'members that one type’s field may have do not narrow those of another type’s',
    world: {
      whole: `
        type Query { start: [Node!]! }
        interface Node { ${NEXT} }
        type User implements Node { id: ID! ${NEXT} }
        type Review implements Node { id: ID! ${NEXT} }`,
      subgraphs: {
        accounts: `${FED2}
          type Query { start: [Node!]! }
          interface Node { ${NEXT} }
          type User implements Node @key(fields: "id") { id: ID! ${NEXT} }
          type Review implements Node @key(fields: "id") { id: ID! ${NEXT} @shareable }`,
        billing: `${FED2}
          interface Node { ${NEXT} }
          type Review @key(fields: "id") { id: ID! ${NEXT} @shareable }`,
      },
      salt: 12,
      failing: 0,
    },
    operations: [
      '{ start { next { next { next { __typename } } } } }',
      '{ start { __typename next { next { __typename } ... on User { next { id: __typename } } } } }',
    ],
  },
]

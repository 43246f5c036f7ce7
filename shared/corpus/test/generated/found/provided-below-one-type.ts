import { FED2 } from '../../../src/harness/suite.ts'
import type { FoundWorld } from './found-world.ts'

export const providedBelowOneType: readonly FoundWorld[] = [
  {
    name: 'what the field of one type provides is not asked for below that of another type',
    world: {
      whole: `
        type Query { named: [Named!]! x: Int }
        interface Node { nodes: [Node!] }
        interface Named { nodes: [Node!] }
        type Product implements Named { id: ID! nodes: [Node!] }
        type Shop implements Node & Named { id: ID! label: [String] nodes: [Node!] }`,
      subgraphs: {
        accounts: `${FED2}
          type Query { x: Int }
          interface Node { nodes: [Node!] }
          type Product @key(fields: "id") { id: ID! nodes: [Node!] @shareable }
          type Shop implements Node @key(fields: "id") { id: ID! label: [String] nodes: [Node!] @shareable }`,
        billing: `${FED2}
          type Query { named: [Named!]! }
          interface Node { nodes: [Node!] }
          interface Named { nodes: [Node!] }
          type Product implements Named @key(fields: "id") {
            id: ID!
            nodes: [Node!] @shareable @provides(fields: "... on Shop { label }")
          }
          type Shop implements Node & Named @key(fields: "id") {
            id: ID!
            label: [String] @external
            nodes: [Node!] @shareable
          }`,
      },
      salt: 4,
      failing: 0,
    },
    operations: [
      '{ named { nodes { ... on Shop { label } } } }',
      '{ named { nodes { ... on Shop { label } } nodes { nodes { __typename } } } }',
      '{ named { ... on Product { nodes { ... on Shop { label } } } ... on Shop { nodes { ... on Shop { label } } } } }',
    ],
  },
]

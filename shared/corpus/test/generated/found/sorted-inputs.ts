import { FED2 } from '../../../src/harness/suite.ts'
import type { FoundWorld } from './found-world.ts'

export const sortedInputs: readonly FoundWorld[] = [
  {
    name: 'inputs that a requirement sorts by type carry their type, though all types give the same',
    world: {
      whole: `
        type Query { users: [User!]! x: Int }
        interface Media { id: ID! stars: Int }
        type Film implements Media { id: ID! stars: Int }
        type Album implements Media { id: ID! stars: Int }
        type User { id: ID! media: [Media!] sum: [Int!] }`,
      subgraphs: {
        accounts: `${FED2}
          type Query { users: [User!]! }
          type User @key(fields: "id") { id: ID! media: [Media!] }
          type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
        catalog: `${FED2}
          type Query { x: Int }
          type User @key(fields: "id") {
            id: ID!
            media: [Media!] @external
            sum: [Int!] @requires(fields: "media { ... on Film { stars } ... on Album { stars } }")
          }
          interface Media @key(fields: "id") { id: ID! }
          type Film implements Media @key(fields: "id") { id: ID! stars: Int @external }
          type Album implements Media @key(fields: "id") { id: ID! stars: Int @external }`,
      },
      salt: 4,
      failing: 0,
    },
    operations: ['{ users { sum } }', '{ users { media { stars } sum } }'],
  },
]

import { FED2 } from '../../../src/harness/suite.ts'
import type { FoundWorld } from './found-world.ts'

export const interfaceObjectInputs: readonly FoundWorld[] = [
  {
    name: 'an input whose type nobody knows is sent with its fields',
    world: {
      whole: `
        type Query { product: Product! }
        interface Media { id: ID! }
        type Film implements Media { id: ID! }
        type Poster implements Media { id: ID! }
        type Product { id: ID! media: [Media!] sum: String }`,
      subgraphs: {
        accounts: `${FED2}
          interface Media @key(fields: "id") { id: ID! }
          type Film implements Media @key(fields: "id") { id: ID! }
          type Poster implements Media @key(fields: "id") { id: ID! }`,
        billing: `${FED2}
          type Query { product: Product! }
          type Product @key(fields: "id") { id: ID! media: [Media!] @external sum: String @requires(fields: "media { id }") }
          type Media @interfaceObject @key(fields: "id") { id: ID! }`,
        catalog: `${FED2}
          type Product @key(fields: "id") { id: ID! media: [Media!] }
          type Media @interfaceObject @key(fields: "id") { id: ID! }`,
      },
      salt: 5,
      failing: 0,
    },
    operations: [
      '{ product { sum } }',
      '{ product { sum media { id } } }',
      '{ product { sum media { __typename } } }',
      '{ product { media { ... on Film { id } } sum } }',
    ],
  },
]

import { FED2 } from '../../../src/harness/suite.ts'
import type { FoundWorld } from './found-world.ts'

export const rootReached: readonly FoundWorld[] = [
  {
    name: 'an error of root fields that are asked for in vain is nobody’s',
    world: {
      whole: `
        type Query { others: [Other!] users: [User!] banner: String }
        union Other = User | Shop
        type User { again: Query }
        type Shop { name: String }`,
      subgraphs: {
        billing: `${FED2}
          type Query { others: [Other!] }
          union Other = User | Shop
          type User @shareable { again: Query }
          type Shop { name: String }`,
        catalog: `${FED2}
          type Query { users: [User!] banner: String }
          type User @shareable { again: Query }`,
      },
      salt: 7,
      failing: 100,
    },
    operations: ['{ others { ... on User { again { banner } } } }'],
  },
  {
    name: 'nor when the same call is made for other root fields as well',
    world: {
      whole: `
        type Query { users: [User!] banner: String motto: String! }
        type User { again: Query }`,
      subgraphs: {
        billing: `${FED2} type Query { users: [User!] } type User { again: Query }`,
        catalog: `${FED2} type Query { banner: String motto: String! }`,
      },
      salt: 1,
      failing: 100,
    },
    operations: ['{ motto users { again { banner } } }'],
  },
  {
    name: 'what fails where the root was reached again takes nothing from where it was asked first',
    world: {
      whole: `
        type Query { user: User ping: Int }
        type User { id: ID! again: Query score: Int! }`,
      subgraphs: {
        accounts: `${FED2} type User @key(fields: "id") { id: ID! again: Query } type Query { ping: Int }`,
        billing: `${FED2} type Query { user: User } type User @key(fields: "id") { id: ID! score: Int! }`,
      },
      salt: 27,
      failing: 100,
    },
    operations: ['{ user { again { user { score } } } }'],
  },
  {
    name: 'nor is one of a field that was asked for under another name for a place that is not there',
    world: {
      whole: `
        type Query { users: [User!] money: [Money!]! }
        type User { again: Query }
        type Money { amount: Int }`,
      subgraphs: {
        billing: `${FED2} type Query { users: [User!] } type User { again: Query }`,
        catalog: `${FED2} type Query { money: [Money!]! } type Money { amount: Int }`,
      },
      salt: 18,
      failing: 100,
    },
    operations: ['{ money { amount } users { again { money { constructor: amount } } } }'],
  },
]

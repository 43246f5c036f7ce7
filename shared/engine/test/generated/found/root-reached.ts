import { FED2 } from '../../corpus/harness/suite.ts'
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
]

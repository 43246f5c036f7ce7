import { FED2 } from '../../../src/harness/suite.ts'
import type { FoundWorld } from './found-world.ts'

export const extensionKeys: readonly FoundWorld[] = [
  {
    name: 'the key of a Federation 1 extension is asked of it, also where a field provides it',
    world: {
      whole: `
        type Query { best: Product other: Product shop: Shop }
        type Product { id: ID! sku: ID! name: String stock: Int also: Product }
        type Shop { id: ID! }`,
      subgraphs: {
        billing: `${FED2}
          type Query { shop: Shop }
          type Shop { id: ID! }
          type Product @key(fields: "id") @key(fields: "sku") { id: ID! sku: ID! name: String also: Product }`,
        catalog: `
          type Query { best: Product @provides(fields: "also { sku }") other: Product }
          extend type Product @key(fields: "sku") { sku: ID! @external also: Product @external }`,
        delivery: `${FED2}
          type Product @key(fields: "id") { id: ID! stock: Int }`,
      },
      salt: 6,
      failing: 0,
    },
    operations: ['{ other { stock } }', '{ other { sku name } }', '{ best { also { sku stock } } }'],
  },
]

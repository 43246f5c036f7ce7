import { FED2, type Suite } from '../harness/suite.ts'

/**
 * One interface that one subgraph has bare, another with more fields; the fields of its types live in a
 * third.
 */
export const nodes: Suite = {
  name: 'one bare interface, its types elsewhere',
  monolith: `
    type Query { productNode: Node groupNode: Node any: [Node] named: [Named!]! }
    interface Node { id: ID! }
    interface Named implements Node { id: ID! name: String! }
    type Product implements Node & Named { id: ID! name: String! price: Float group: Group }
    type Group implements Node & Named { id: ID! name: String! products: [Product!] }
  `,
  tables: () => ({
    Product: [
      { __typename: 'Product', id: 'p1', name: 'lamp', price: 10.5, group: 'g1' },
      { __typename: 'Product', id: 'p2', name: new Error('no name'), price: null, group: 'g1' },
    ],
    Group: [{ __typename: 'Group', id: 'g1', name: 'light' }],
  }),
  fields: {
    'Query.productNode': (_row, _args, tables) => tables['Product']?.[0],
    'Query.groupNode': (_row, _args, tables) => tables['Group']?.[0],
    'Query.any': (_row, _args, tables) => [
      tables['Group']?.[0],
      null,
      tables['Product']?.[1],
      tables['Product']?.[0],
    ],
    'Query.named': (_row, _args, tables) => [tables['Product']?.[0], tables['Group']?.[0]],
    'Product.group': (_row, _args, tables) => tables['Group']?.[0],
    'Group.products': (_row, _args, tables) => tables['Product'],
  },
  subgraphs: {
    bare: {
      sdl: `${FED2}
        type Query { productNode: Node groupNode: Node any: [Node] }
        interface Node { id: ID! }
        type Product implements Node @key(fields: "id") { id: ID! }
        type Group implements Node @key(fields: "id") { id: ID! }`,
    },
    names: {
      sdl: `${FED2}
        type Query { named: [Named!]! }
        interface Node { id: ID! }
        interface Named implements Node { id: ID! name: String! }
        type Product implements Node & Named @key(fields: "id") { id: ID! name: String! }
        type Group implements Node & Named @key(fields: "id") { id: ID! name: String! }`,
    },
    stock: {
      sdl: `${FED2}
        type Product @key(fields: "id") { id: ID! price: Float group: Group }
        type Group @key(fields: "id") { id: ID! products: [Product!] }`,
    },
  },
  operations: [
    { name: 'the id', query: '{ productNode { id } groupNode { id __typename } }' },
    {
      name: 'fields of the types',
      query:
        '{ productNode { ... on Product { name price } } groupNode { ... on Group { name products { price } } } }',
    },
    {
      name: 'a fragment on an interface that the source does not know',
      query: '{ any { ... on Named { id } } productNode { ... on Named { name } } }',
    },
    {
      name: 'from the richer interface to the bare one',
      query:
        '{ named { name ... on Node { id } ... on Product { group { ... on Node { id __typename } } } } }',
    },
    {
      name: 'aliases',
      query: '{ any { id: __typename key: id ... on Product { cost: price } ... on Group { label: name } } }',
    },
    {
      name: 'fragments in fragments',
      query:
        '{ any { ...N } } fragment N on Node { ... on Product { ...P } ... on Named { ... on Group { name } } } fragment P on Product { price ... on Node { id } }',
    },
    {
      name: 'conditions',
      query:
        'query ($n: Boolean!) { any { id ... on Named @include(if: $n) { name } ... on Product @skip(if: $n) { price } } }',
      variables: { n: false },
    },
    {
      name: 'a non-null error in a list of the interface',
      query: '{ any { id ... on Named { name } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error two hops away',
      query: '{ groupNode { ... on Group { products { price name } } } }',
      errors: 'exact',
    },
    {
      name: 'type names only',
      query: '{ any { __typename } named { __typename ... on Node { t: __typename } } }',
    },
  ],
}

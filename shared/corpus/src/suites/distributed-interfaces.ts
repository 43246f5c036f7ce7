import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * An object implements the interface in some subgraphs, is a member of the union in others, and is bare in
 * the rest.
 */
export const distributedInterfaces: Suite = {
  name: 'interfaces and unions implemented here and not there',
  monolith: `
    type Query { products: [Product] node(id: ID!): Node nodes: [Node!] toasters: [Toaster] oven: Oven }
    interface Node { id: ID! }
    interface Warranted { warranty: Int }
    union Product = Oven | Toaster | Kettle
    type Oven implements Node { id: ID! warranty: Int gas: Boolean }
    type Toaster implements Node & Warranted { id: ID! warranty: Int slots: Int! }
    type Kettle { id: ID! litres: Float }
  `,
  tables: () => ({
    Oven: [
      { __typename: 'Oven', id: 'o1', warranty: 1, gas: true },
      { __typename: 'Oven', id: 'o2', warranty: new Error('no warranty'), gas: null },
    ],
    Toaster: [
      { __typename: 'Toaster', id: 't1', warranty: 3, slots: 2 },
      { __typename: 'Toaster', id: 't2', warranty: null, slots: new Error('no slots') },
    ],
    Kettle: [{ __typename: 'Kettle', id: 'k1', litres: 1.5 }],
  }),
  fields: {
    'Query.products': (_row, _args, tables) => [
      tables['Oven']?.[0],
      tables['Toaster']?.[0],
      null,
      tables['Oven']?.[1],
    ],
    'Query.node': (_row, { id }, tables) =>
      find(tables['Oven'], 'id', id) ?? find(tables['Toaster'], 'id', id),
    'Query.nodes': (_row, _args, tables) => [tables['Toaster']?.[0], tables['Oven']?.[0]],
    'Query.toasters': (_row, _args, tables) => [tables['Toaster']?.[0], null, tables['Toaster']?.[1]],
    'Query.oven': (_row, _args, tables) => tables['Oven']?.[0],
  },
  subgraphs: {
    shop: {
      sdl: `${FED2}
        type Query { products: [Product] node(id: ID!): Node nodes: [Node!] }
        interface Node { id: ID! }
        union Product = Oven | Toaster
        type Oven implements Node @key(fields: "id") { id: ID! }
        type Toaster implements Node @key(fields: "id") { id: ID! }`,
    },
    warranties: {
      sdl: `${FED2}
        type Query { toasters: [Toaster] }
        interface Warranted { warranty: Int }
        union Product = Toaster | Kettle
        type Oven @key(fields: "id") { id: ID! warranty: Int }
        type Toaster implements Warranted @key(fields: "id") { id: ID! warranty: Int }
        type Kettle @key(fields: "id") { id: ID! litres: Float }`,
    },
    specs: {
      sdl: `${FED2}
        type Query { oven: Oven }
        type Oven @key(fields: "id") { id: ID! gas: Boolean }
        type Toaster @key(fields: "id") { id: ID! slots: Int! }`,
    },
  },
  operations: [
    {
      name: 'an interface of one subgraph inside a union of another',
      query: '{ products { ... on Node { id } __typename } }',
    },
    {
      name: 'a fragment on an interface that the source does not know',
      query:
        '{ products { ... on Warranted { warranty } } node(id: "t1") { ... on Warranted { warranty } } }',
    },
    {
      name: 'a field of the interface, by type',
      query: '{ nodes { ... on Oven { warranty gas } ... on Toaster { warranty slots } } }',
    },
    {
      name: 'from a subgraph where the object is bare',
      query: '{ oven { ... on Node { id } warranty gas } }',
    },
    {
      name: 'a fragment that cannot hold',
      query: '{ oven { id ... on Node { ... on Warranted { warranty } } } }',
    },
    {
      name: 'a union inside an object',
      query:
        '{ toasters { ... on Product { __typename ... on Toaster { slots2: id } ... on Kettle { litres } } } }',
    },
    {
      name: 'aliases',
      query:
        '{ products { ... on Node { id: __typename key: id } ... on Oven { w: warranty } ... on Toaster { s: warranty } } }',
      errors: 'exact',
    },
    {
      name: 'conditions',
      query:
        'query ($w: Boolean!) { nodes { id ... on Warranted @include(if: $w) { warranty } ... on Oven @skip(if: $w) { gas } } }',
      variables: { w: true },
    },
    {
      name: 'an error of one member',
      query: '{ products { ... on Oven { id warranty gas } ... on Toaster { warranty } } }',
      errors: 'exact',
    },
    { name: 'a non-null error in a list', query: '{ toasters { warranty slots } }', errors: 'exact' },
    { name: 'the objects themselves', query: '{ nodes { id } oven { id warranty } }' },
  ],
}

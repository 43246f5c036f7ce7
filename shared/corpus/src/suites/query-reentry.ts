import { FED2, find, type Suite } from '../harness/suite.ts'

/** Fields that return the query root, from which everything can be asked again. */
export const queryReentry: Suite = {
  name: 'back into the query root',
  monolith: `
    type Query { tenant(id: ID!): Tenant self: Query count: Int banner: String depth(n: Int = 1): Int }
    type Mutation { reset(to: Int!): Reset increment: Query! }
    type Tenant { id: ID! name: String plan: String query: Query }
    type Reset { ok: Boolean query: Query! }
  `,
  tables: () => ({
    Tenant: [
      { __typename: 'Tenant', id: '1', name: 'one', plan: 'free' },
      { __typename: 'Tenant', id: '2', name: 'two', plan: null },
    ],
    Counter: [{ __typename: 'Counter', value: 5 }],
  }),
  fields: {
    'Query.tenant': (_row, args, tables) => find(tables['Tenant'], 'id', args['id']),
    'Query.self': () => ({ __typename: 'Query' }),
    'Query.count': (_row, _args, tables) => tables['Counter']?.[0]?.['value'],
    'Query.banner': () => 'hello',
    'Query.depth': (_row, { n }) => n,
    'Tenant.query': () => ({ __typename: 'Query' }),
    'Mutation.reset': (_row, { to }, tables) => {
      Object.assign(tables['Counter']?.[0] ?? {}, { value: to })
      return { __typename: 'Reset', ok: true }
    },
    'Mutation.increment': (_row, _args, tables) => {
      const counter = tables['Counter']?.[0]
      Object.assign(counter ?? {}, { value: Number(counter?.['value']) + 1 })
      return { __typename: 'Query' }
    },
    'Reset.query': () => ({ __typename: 'Query' }),
  },
  subgraphs: {
    tenants: {
      sdl: `${FED2}
        type Query { tenant(id: ID!): Tenant self: Query depth(n: Int = 1): Int }
        type Mutation { increment: Query! }
        type Tenant @key(fields: "id") { id: ID! name: String query: Query }`,
    },
    counters: {
      sdl: `${FED2}
        type Query { count: Int }
        type Mutation { reset(to: Int!): Reset }
        type Reset { ok: Boolean query: Query! }
        type Tenant @key(fields: "id") { id: ID! plan: String }`,
    },
    banners: { sdl: `${FED2} type Query { banner: String }` },
  },
  operations: [
    { name: 'the same subgraph again', query: '{ self { tenant(id: "1") { name } } }' },
    { name: 'another subgraph', query: '{ self { count banner } }' },
    {
      name: 'from an entity',
      query: '{ tenant(id: "1") { name query { banner count tenant(id: "2") { name plan } } } }',
    },
    { name: 'twice', query: '{ self { self { count depth(n: 3) self { banner } } } }' },
    {
      name: 'the same field at two levels with different arguments',
      query: 'query ($n: Int) { depth(n: $n) self { depth(n: 9) } again: self { depth } }',
      variables: { n: 4 },
    },
    {
      name: 'after a mutation',
      query: 'mutation { reset(to: 42) { ok query { count banner tenant(id: "1") { plan } } } }',
    },
    {
      name: 'after each of two mutations',
      query: 'mutation { a: increment { count } b: increment { count self { count } } }',
    },
    {
      name: 'only the type name',
      query: '{ self { __typename } tenant(id: "1") { query { __typename count } } }',
    },
    { name: 'below nothing', query: '{ tenant(id: "9") { query { count } } count }' },
  ],
}

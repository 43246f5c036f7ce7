import { FED2, find, type Suite } from '../harness/suite.ts'

/** A field that one subgraph has on one type of an interface, and another one on the interface as a whole. */
export const sharedInterfaceFields: Suite = {
  name: 'fields that interface objects share with types',
  monolith: `
    type Query { accounts: [Account!]! admins: [Admin] account(id: ID!): Account }
    interface Account { id: ID! active: Boolean rank: Rank quota: Int! }
    type Admin implements Account { id: ID! active: Boolean rank: Rank quota: Int! desk: String }
    type User implements Account { id: ID! active: Boolean rank: Rank quota: Int! name: String! }
    type Rank { level: Int title: String }
  `,
  tables: () => ({
    Admin: [
      {
        __typename: 'Admin',
        id: 'a1',
        active: true,
        rank: { __typename: 'Rank', level: 1, title: 'root' },
        quota: 9,
        desk: 'D4',
      },
      { __typename: 'Admin', id: 'a2', active: false, rank: null, quota: new Error('no quota'), desk: null },
    ],
    User: [
      {
        __typename: 'User',
        id: 'u1',
        active: null,
        rank: { __typename: 'Rank', level: 7, title: null },
        quota: 1,
        name: 'Una',
      },
    ],
  }),
  fields: {
    'Query.accounts': (_row, _args, tables) => [tables['Admin']?.[0], tables['User']?.[0]],
    'Query.admins': (_row, _args, tables) => [...(tables['Admin'] ?? []), null],
    'Query.account': (_row, { id }, tables) =>
      find(tables['Admin'], 'id', id) ?? find(tables['User'], 'id', id),
  },
  subgraphs: {
    // First by name, so that nothing but the rule keeps it from being asked.
    admins: {
      sdl: `${FED2}
        type Query { admins: [Admin] }
        interface Account @key(fields: "id") { id: ID! }
        type Admin implements Account @key(fields: "id") { id: ID! active: Boolean @shareable rank: Rank @shareable desk: String }
        type User implements Account @key(fields: "id") { id: ID! name: String! }
        type Rank @shareable { level: Int title: String }`,
    },
    lists: {
      sdl: `${FED2}
        type Query { accounts: [Account!]! account(id: ID!): Account }
        type Account @key(fields: "id") @interfaceObject { id: ID! }`,
    },
    states: {
      sdl: `${FED2}
        type Account @key(fields: "id") @interfaceObject { id: ID! active: Boolean @shareable rank: Rank @shareable quota: Int! }
        type Rank @shareable { level: Int title: String }`,
    },
  },
  operations: [
    { name: 'one subgraph has it for all', query: '{ accounts { id active } }' },
    { name: 'where the types are asked for as well', query: '{ accounts { __typename id active } }' },
    {
      name: 'where the other one is asked for something else',
      query: '{ accounts { active ... on User { name } ... on Admin { desk } } }',
    },
    { name: 'for one type only', query: '{ accounts { id ... on Admin { active } } }' },
    { name: 'an object', query: '{ account(id: "u1") { rank { level title } active quota } }' },
    { name: 'what the source has itself', query: '{ admins { active rank { title } } }' },
    {
      name: 'a field of both and one of the interface object',
      query: '{ admins { active quota } }',
      errors: 'exact',
    },
    {
      name: 'aliases',
      query:
        '{ a: accounts { on: active r: rank { l: level } } b: account(id: "a1") { active: id id: active } }',
    },
    {
      name: 'conditions',
      query:
        'query ($n: Boolean!) { accounts { active ... on User @include(if: $n) { name } rank @skip(if: $n) { level } } }',
      variables: { n: true },
    },
    {
      name: 'an error of the interface object',
      query: '{ account(id: "a2") { active quota ... on Admin { desk } } }',
      errors: 'exact',
    },
  ],
}

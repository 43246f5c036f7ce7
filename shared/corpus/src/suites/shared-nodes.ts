import { FED2, find, type Suite, type Tables } from '../harness/suite.ts'

/** A shared root that returns an interface, whose id one subgraph only takes and never gives. */
export const sharedNodes: Suite = {
  name: 'a shared root returning an interface',
  monolith: `
    type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node] account(id: String!): Account talk(id: String!): Talk }
    interface Node { id: ID! }
    type Account implements Node { id: ID! login: String! talks: [Talk!] }
    type Talk implements Node { id: ID! text: String! account: Account words: Int }
  `,
  tables: () => ({
    Account: [
      { __typename: 'Account', id: 'a1', login: 'ann' },
      { __typename: 'Account', id: 'a2', login: new Error('no login') },
    ],
    Talk: [
      { __typename: 'Talk', id: 't1', text: 'hi', account: 'a1', words: 1 },
      { __typename: 'Talk', id: 't2', text: 'bye bye', account: 'a2', words: 2 },
    ],
  }),
  fields: {
    'Query.node': (_row, { id }, tables) => node(id, tables),
    'Query.nodes': (_row, { ids }, tables) => (ids as unknown[]).map((id) => node(id, tables)),
    'Query.account': (_row, { id }, tables) => find(tables['Account'], 'id', id),
    'Query.talk': (_row, { id }, tables) => find(tables['Talk'], 'id', id),
    'Account.talks': (row, _args, tables) => tables['Talk']?.filter(({ account }) => account === row['id']),
    'Talk.account': (row, _args, tables) => find(tables['Account'], 'id', row['account']),
  },
  subgraphs: {
    logins: {
      sdl: `${FED2}
        type Query { node(id: ID!): Node @shareable nodes(ids: [ID!]!): [Node] account(id: String!): Account }
        interface Node { id: ID! }
        type Account implements Node @key(fields: "id") { id: ID! login: String! }
        type Talk implements Node @key(fields: "id") { id: ID! text: String! @shareable }`,
    },
    talks: {
      sdl: `${FED2}
        type Query { node(id: ID!): Node @shareable talk(id: String!): Talk }
        interface Node { id: ID! }
        type Account implements Node @key(fields: "id") { id: ID! talks: [Talk!] }
        type Talk implements Node @key(fields: "id") { id: ID! text: String! @shareable account: Account words: Int }`,
    },
  },
  operations: [
    { name: 'the interface field', query: '{ node(id: "a1") { id } }' },
    {
      name: 'fields of both sides',
      query: '{ node(id: "a1") { id __typename ... on Account { login talks { id text } } } }',
    },
    {
      name: 'the other type, fields of both sides',
      query: '{ node(id: "t1") { ... on Talk { text words account { login } } ... on Account { login } } }',
    },
    {
      name: 'the shared root and a root of its own',
      query: '{ node(id: "a1") { id } account(id: "a1") { login talks { words } } }',
    },
    {
      name: 'one root many times',
      query:
        '{ a: node(id: "a1") { id } b: node(id: "t2") { id ... on Talk { words } } c: node(id: "none") { id } }',
    },
    {
      name: 'round and round',
      query: '{ talk(id: "t1") { account { id login talks { account { login } } } } }',
    },
    {
      name: 'conditions that decide which side is needed',
      query:
        'query ($l: Boolean!, $t: Boolean!) { node(id: "a1") { id ... on Account { login @include(if: $l) talks @include(if: $t) { id } } } }',
      variables: { l: false, t: true },
    },
    {
      name: 'a list',
      query:
        '{ nodes(ids: ["t1", "x", "a1"]) { id ... on Talk { account { id } words } ... on Account { talks { text } } } }',
    },
    {
      name: 'a non-null error behind the hop',
      query:
        '{ talk(id: "t2") { text account { id login } } node(id: "t2") { ... on Talk { account { login } } } }',
      errors: 'exact',
    },
    {
      name: 'nothing found',
      query: '{ node(id: "zz") { id __typename ... on Account { login } ... on Talk { words } } }',
    },
  ],
}

function node(id: unknown, tables: Tables) {
  return find(tables['Account'], 'id', id) ?? find(tables['Talk'], 'id', id)
}

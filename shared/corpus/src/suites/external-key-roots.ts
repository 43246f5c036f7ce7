import { FED2, find, findAll, type Suite, type Tables } from '../harness/suite.ts'

/**
 * A shared root that returns an interface, where each subgraph has the key of one type and only takes that of
 * the other: no root alone can tell the id of whatever it finds.
 */
export const externalKeyRoots: Suite = {
  name: 'a shared root with keys that are external here and there',
  monolith: `
    type Query { node(id: ID!): Node nodes: [Node] account: Account chat: Chat }
    interface Node { id: ID! }
    type Account implements Node { id: ID! username: String! chats: [Chat!]! }
    type Chat implements Node { id: ID! text: String! length: Int }
  `,
  tables: () => ({
    Account: [
      { __typename: 'Account', id: 'a1', username: 'ann', chats: ['c1', 'c2'] },
      { __typename: 'Account', id: 'a2', username: new Error('no name'), chats: [] },
    ],
    Chat: [
      { __typename: 'Chat', id: 'c1', text: 'hi', length: 2 },
      { __typename: 'Chat', id: 'c2', text: new Error('no text'), length: null },
    ],
  }),
  fields: {
    'Query.node': (_row, { id }, tables) => node(id, tables),
    'Query.nodes': (_row, _args, tables) => ['c1', 'none', 'a1'].map((id) => node(id, tables)),
    'Query.account': (_row, _args, tables) => tables['Account']?.[0],
    'Query.chat': (_row, _args, tables) => tables['Chat']?.[0],
    'Account.chats': (row, _args, tables) => findAll(tables['Chat'], 'id', row['chats']),
  },
  subgraphs: {
    people: {
      sdl: `${FED2}
        type Query { node(id: ID!): Node @shareable nodes: [Node] @shareable account: Account }
        interface Node { id: ID! }
        type Account implements Node @key(fields: "id") { id: ID! username: String! }
        type Chat implements Node @key(fields: "id") { id: ID! @external length: Int }`,
    },
    talk: {
      sdl: `${FED2}
        type Query { node(id: ID!): Node @shareable nodes: [Node] @shareable chat: Chat }
        interface Node { id: ID! }
        type Account implements Node @key(fields: "id") { id: ID! @external chats: [Chat!]! }
        type Chat implements Node @key(fields: "id") { id: ID! text: String! }`,
    },
  },
  operations: [
    { name: 'the key of an account', query: '{ node(id: "a1") { id } }' },
    { name: 'the key of a chat', query: '{ node(id: "c1") { id __typename } }' },
    { name: 'nothing found', query: '{ node(id: "x") { id ... on Chat { text } } }' },
    { name: 'the key of one type only', query: '{ node(id: "c1") { ... on Chat { id } } }' },
    {
      name: 'fields of both sides',
      query:
        '{ node(id: "a1") { id ... on Account { username chats { id length } } ... on Chat { text length } } }',
    },
    {
      name: 'a list',
      query: '{ nodes { id ... on Chat { text length } ... on Account { chats { text } } } }',
      errors: 'exact',
    },
    {
      name: 'by key from the other side',
      query: '{ account { id chats { id length } } chat { id length } }',
    },
    { name: 'aliases', query: '{ id: node(id: "c1") { key: id id: __typename } b: node(id: "a1") { id } }' },
    {
      name: 'conditions',
      query:
        'query ($k: Boolean!) { nodes { id @include(if: $k) ... on Account @skip(if: $k) { username } } }',
      variables: { k: true },
    },
    {
      name: 'a non-null error beside the key',
      query: '{ node(id: "a2") { id ... on Account { username } } }',
      errors: 'exact',
    },
  ],
}

function node(id: unknown, tables: Tables) {
  return find(tables['Account'], 'id', id) ?? find(tables['Chat'], 'id', id)
}

import { FED2, find, type Row, type Suite } from '../harness/suite.ts'

const BADGES: Row[] = [
  { __typename: 'Badge', label: 'badge 7', colour: 'grey' },
  { __typename: 'Badge', label: 'badge null', colour: null },
]

/**
 * A `@provides` that also names fields which its subgraph resolves anyway, or did before another one took
 * them over. It gives what is external, and nothing else: own fields keep their inputs.
 */
export const providedOwnFields: Suite = {
  name: 'own fields below what is provided',
  monolith: `
    type Query { reviews: [Review!] pinned: Review users: [User!] }
    type Review { id: ID! author: User reader: Person }
    interface Person { id: ID! name: String rank: String }
    type User implements Person { id: ID! name: String karma: Int rank: String badge: Badge motto: String status: String }
    type Bot implements Person { id: ID! name: String rank: String }
    type Badge { label: String colour: String }
  `,
  tables: () => ({
    Review: [
      { __typename: 'Review', id: 'r1', author: 'u1', reader: 'b1' },
      { __typename: 'Review', id: 'r2', author: 'u2', reader: 'u1' },
      { __typename: 'Review', id: 'r3', author: null, reader: null },
    ],
    User: [
      { __typename: 'User', id: 'u1', name: 'Una', karma: 7, motto: 'on', status: 'here' },
      {
        __typename: 'User',
        id: 'u2',
        name: null,
        karma: null,
        motto: 'off',
        status: null,
      },
    ],
    Bot: [{ __typename: 'Bot', id: 'b1', name: 'Bo', rank: 'machine' }],
    Badge: BADGES,
  }),
  fields: {
    'Query.reviews': (_row, _args, tables) => tables['Review'],
    'Query.pinned': (_row, _args, tables) => tables['Review']?.[0],
    'Query.users': (_row, _args, tables) => tables['User'],
    'Review.author': (row, _args, tables) => find(tables['User'], 'id', row['author']),
    'Review.reader': (row, _args, tables) =>
      find(tables['User'], 'id', row['reader']) ?? find(tables['Bot'], 'id', row['reader']),
  },
  computed: {
    'User.rank': { compute: ({ karma }) => `rank ${String(karma)}` },
    'User.badge': {
      compute: ({ karma }) => find(BADGES, 'label', `badge ${String(karma)}`),
    },
  },
  subgraphs: {
    forum: {
      sdl: `${FED2.replace('v2.3', 'v2.7')}
        type Query {
          reviews: [Review!]
          pinned: Review @provides(fields: "author { name karma rank badge { label colour } motto status } reader { name rank }")
        }
        type Review @key(fields: "id") { id: ID! author: User @external reader: Person @external }
        interface Person { id: ID! name: String rank: String }
        type User implements Person @key(fields: "id") {
          id: ID!
          name: String @external
          karma: Int @external
          rank: String @requires(fields: "karma")
          badge: Badge @requires(fields: "karma")
          motto: String
          status: String
        }
        type Bot implements Person @key(fields: "id") { id: ID! name: String @external rank: String }
        type Badge @key(fields: "label") { label: String colour: String @external }`,
    },
    people: {
      sdl: `${FED2.replace('v2.3', 'v2.7')}
        type Query { users: [User!] }
        type Review @key(fields: "id") { id: ID! author: User reader: Person }
        interface Person { id: ID! name: String }
        type User implements Person @key(fields: "id") {
          id: ID!
          name: String
          karma: Int
          motto: String @override(from: "forum")
          status: String @override(from: "forum", label: "percent(30)")
        }
        type Bot implements Person @key(fields: "id") { id: ID! name: String }
        type Badge @key(fields: "label") { label: String colour: String }`,
    },
  },
  operations: [
    { name: 'an own field keeps its input', query: '{ pinned { author { rank } } }' },
    { name: 'an input that is provided', query: '{ pinned { author { karma rank } } }' },
    {
      name: 'here with what is provided, there without',
      query: '{ pinned { author { name rank } } reviews { author { name rank } } }',
    },
    { name: 'what is external is given', query: '{ pinned { author { name karma } } }' },
    {
      name: 'below a field that keeps its input nothing is provided',
      query: '{ pinned { author { badge { label colour } } } }',
    },
    {
      name: 'on an interface, for the type that has an input',
      query: '{ pinned { reader { __typename name rank } } reviews { reader { rank } } }',
    },
    { name: 'a field that was taken over', query: '{ pinned { author { name motto } } }' },
    { name: 'a field that is not yet taken over', query: '{ pinned { author { name status } } }' },
    {
      name: 'a field that is taken over by now',
      query: '{ pinned { author { name status } } }',
      labels: ['percent(30)'],
    },
    {
      name: 'all of it under other names',
      query: '{ pinned { a: author { r: rank b: badge { c: colour } m: motto n: name } } }',
    },
  ],
}

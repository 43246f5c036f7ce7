import { FED2, find, type Suite } from '../harness/suite.ts'

/** Errors of subgraphs, found back at the places where the client asked. */
export const errors: Suite = {
  name: 'subgraph errors',
  monolith: `
    type Query { users: [User!]! user(id: ID!): User broken: User teams: [Team] matrix: [[User]] flaky: Int }
    type User { id: ID! name: String email: String score: Int badge: Badge friends: [User!] level: String }
    type Badge { title: String shiny: Boolean }
    type Team { id: ID! lead: User members: [User] }
  `,
  tables: () => ({
    User: [
      {
        __typename: 'User',
        id: '1',
        name: 'a',
        email: 'a@x',
        score: 1,
        badge: { __typename: 'Badge', title: 'one', shiny: true },
        friends: ['2', '3'],
      },
      {
        __typename: 'User',
        id: '2',
        name: new Error('no name'),
        email: new Error('no mail'),
        score: new Error('no score'),
        badge: new Error('no badge'),
        friends: ['1'],
      },
      {
        __typename: 'User',
        id: '3',
        name: 'c',
        email: null,
        score: 3,
        badge: { __typename: 'Badge', title: new Error('no title'), shiny: null },
        friends: new Error('no friends'),
      },
    ],
    Team: [{ __typename: 'Team', id: 't', lead: '2', members: ['1', '2', '2', '9'] }],
  }),
  fields: {
    'Query.users': (_row, _args, tables) => tables['User'],
    'Query.user': (_row, args, tables) => find(tables['User'], 'id', args['id']),
    'Query.broken': () => {
      throw new Error('broken')
    },
    'Query.flaky': () => {
      throw new Error('flaky')
    },
    'Query.teams': (_row, _args, tables) => [tables['Team']?.[0], null],
    'Query.matrix': (_row, _args, tables) => [
      [tables['User']?.[1], null],
      null,
      [tables['User']?.[0], tables['User']?.[1]],
    ],
    'User.friends': (row, _args, tables) =>
      Array.isArray(row['friends'])
        ? row['friends'].map((id) => find(tables['User'], 'id', id))
        : row['friends'],
    'Team.lead': (row, _args, tables) => find(tables['User'], 'id', row['lead']),
    'Team.members': (row, _args, tables) =>
      (row['members'] as string[]).map((id) => find(tables['User'], 'id', id)),
  },
  computed: {
    'User.level': {
      compute: ({ id }) => {
        if (id === '2') throw new Error('no level')
        return `level ${String(id)}`
      },
    },
  },
  subgraphs: {
    users: {
      sdl: `${FED2}
        type Query { users: [User!]! user(id: ID!): User broken: User flaky: Int }
        type User @key(fields: "id") { id: ID! name: String friends: [User!] }`,
    },
    mail: {
      sdl: `${FED2} type User @key(fields: "id") { id: ID! email: String badge: Badge } type Badge { title: String shiny: Boolean }`,
    },
    scores: {
      sdl: `${FED2}
        type User @key(fields: "id") { id: ID! score: Int level: String }`,
      fields: {
        'User.level': (row) => (row['id'] === '2' ? new Error('no level') : `level ${String(row['id'])}`),
      },
    },
    teams: {
      sdl: `${FED2}
        type Query { teams: [Team] matrix: [[User]] }
        type Team @key(fields: "id") { id: ID! lead: User members: [User] }
        type User @key(fields: "id", resolvable: false) { id: ID! }`,
    },
  },
  operations: [
    {
      name: 'one entity at two depths, under one name here and two there',
      query: '{ teams { lead { friends { email a: email friends { id email } } } } }',
      errors: 'exact',
    },
    { name: 'of a root subgraph', query: '{ users { id name } broken { id } }', errors: 'exact' },
    { name: 'of an entity fetch in a list', query: '{ users { id email score } }', errors: 'exact' },
    {
      name: 'at every place that shares the entity',
      query: '{ teams { lead { email } members { email } } }',
      errors: 'exact',
    },
    { name: 'below an entity', query: '{ users { badge { title shiny } } }', errors: 'exact' },
    {
      name: 'under aliases',
      query:
        '{ everyone: users { mail: email mark: badge { text: title } } one: user(id: "2") { email: score } }',
      errors: 'exact',
    },
    { name: 'in lists of lists', query: '{ matrix { score } }', errors: 'exact' },
    {
      name: 'several levels of entities',
      query: '{ users { friends { score friends { email } } } }',
      errors: 'exact',
    },
    { name: 'two roots, one fails', query: '{ flaky user(id: "1") { name email } }', errors: 'exact' },
    {
      name: 'only the failing parts',
      query: '{ user(id: "2") { name email score level badge { title } } }',
      errors: 'exact',
    },
    {
      name: 'no errors where nothing fails',
      query: '{ user(id: "1") { name email score level badge { title shiny } } }',
    },
    {
      name: 'behind a nasty alias',
      query: '{ constructor: user(id: "2") { toString: email __proto__: score } }',
      errors: 'exact',
    },
  ],
}

import { FED2, findAll, type Suite } from '../harness/suite.ts'

/** Many places of one response need the same few entities. */
export const batching: Suite = {
  name: 'batching and de-duplication',
  monolith: `
    type Query { matches: [Match!]! champion: Team podium: [Team] }
    type Match { id: ID! home: Team! guest: Team! scorers: [Player] }
    type Team { id: ID! name: String! points: Int rival: Team players: [Player!] }
    type Player { id: ID! name: String goals: Int team: Team }
  `,
  tables: () => ({
    Match: [
      { __typename: 'Match', id: 'm1', home: 'a', guest: 'b', scorers: ['p1', 'p3', 'p1'] },
      { __typename: 'Match', id: 'm2', home: 'b', guest: 'a', scorers: [] },
      { __typename: 'Match', id: 'm3', home: 'a', guest: 'c', scorers: ['p2', 'none', 'p3'] },
    ],
    Team: [
      { __typename: 'Team', id: 'a', name: 'Amber', points: 6, rival: 'b' },
      { __typename: 'Team', id: 'b', name: 'Blue', points: 3, rival: 'a' },
      { __typename: 'Team', id: 'c', name: 'Cyan', points: null, rival: null },
    ],
    Player: [
      { __typename: 'Player', id: 'p1', name: 'Pia', goals: 4, team: 'a' },
      { __typename: 'Player', id: 'p2', name: 'Per', goals: 1, team: 'a' },
      { __typename: 'Player', id: 'p3', name: null, goals: 2, team: 'b' },
    ],
  }),
  fields: {
    'Query.matches': (_row, _args, tables) => tables['Match'],
    'Query.champion': (_row, _args, tables) => tables['Team']?.[0],
    'Query.podium': (_row, _args, tables) => findAll(tables['Team'], 'id', ['a', 'nobody', 'b', 'a']),
    'Match.home': (row, _args, tables) => findAll(tables['Team'], 'id', [row['home']])[0],
    'Match.guest': (row, _args, tables) => findAll(tables['Team'], 'id', [row['guest']])[0],
    'Match.scorers': (row, _args, tables) => findAll(tables['Player'], 'id', row['scorers']),
    'Team.rival': (row, _args, tables) => findAll(tables['Team'], 'id', [row['rival']])[0],
    'Team.players': (row, _args, tables) =>
      tables['Player']?.filter((player) => player['team'] === row['id']),
    'Player.team': (row, _args, tables) => findAll(tables['Team'], 'id', [row['team']])[0],
  },
  subgraphs: {
    fixtures: {
      sdl: `${FED2}
        type Query { matches: [Match!]! }
        type Match { id: ID! home: Team! guest: Team! scorers: [Player] }
        type Team @key(fields: "id", resolvable: false) { id: ID! }
        type Player @key(fields: "id", resolvable: false) { id: ID! }`,
    },
    teams: {
      sdl: `${FED2}
        type Query { champion: Team podium: [Team] }
        type Team @key(fields: "id") { id: ID! name: String! rival: Team players: [Player!] }
        type Player @key(fields: "id") { id: ID! team: Team }`,
    },
    table: { sdl: `${FED2} type Team @key(fields: "id") { id: ID! points: Int }` },
    players: { sdl: `${FED2} type Player @key(fields: "id") { id: ID! name: String goals: Int }` },
  },
  operations: [
    { name: 'the same team at home and as guest', query: '{ matches { home { name } guest { name } } }' },
    { name: 'different fields of the same team', query: '{ matches { home { name } guest { points } } }' },
    { name: 'lists with repeats and nulls', query: '{ matches { scorers { name goals } } }' },
    { name: 'a list with nulls at the root', query: '{ podium { name points } }' },
    {
      name: 'recursion into the same entity with other fields',
      query: '{ champion { name rival { name points rival { points rival { id } } } } }',
    },
    { name: 'two levels of entities', query: '{ matches { id scorers { goals team { points name } } } }' },
    {
      name: 'one root next to the other',
      query: '{ champion { points } podium { points } matches { home { points } } }',
    },
    { name: 'a list inside a list', query: '{ podium { players { name team { rival { points } } } } }' },
    {
      name: 'aliases of one field',
      query: '{ a: champion { n: name p: points } b: champion { p: name n: points } }',
    },
  ],
}

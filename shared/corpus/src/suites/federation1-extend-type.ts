import { find, type Suite } from '../harness/suite.ts'

/**
 * Federation 1: `extend type` with an external key, an input and provided fields, the owner being reached
 * through it.
 */
export const federation1ExtendType: Suite = {
  name: 'federation 1, extend type',
  monolith: `
    type Query { pilot: Pilot pilots: [Pilot] planes: [Plane!]! crew: Pilot }
    type Pilot { id: ID! name: String mail: String rank: Int plane: Plane badge: String }
    type Plane { reg: ID! model: String seats: Int! captain: Pilot }
  `,
  tables: () => ({
    Pilot: [
      { __typename: 'Pilot', id: '1', name: 'Ida', mail: 'i@x', rank: 1, plane: 'LN' },
      { __typename: 'Pilot', id: '2', name: null, mail: new Error('no mail'), rank: 2, plane: null },
    ],
    Plane: [
      { __typename: 'Plane', reg: 'LN', model: 'Dash', seats: 39, captain: '1' },
      { __typename: 'Plane', reg: 'OY', model: null, seats: new Error('no seats'), captain: '2' },
    ],
  }),
  fields: {
    'Query.pilot': (_row, _args, tables) => tables['Pilot']?.[0],
    'Query.crew': (_row, _args, tables) => tables['Pilot']?.[1],
    'Query.pilots': (_row, _args, tables) => [tables['Pilot']?.[1], null, tables['Pilot']?.[0]],
    'Query.planes': (_row, _args, tables) => tables['Plane'],
    'Pilot.plane': (row, _args, tables) => find(tables['Plane'], 'reg', row['plane']),
    'Plane.captain': (row, _args, tables) => find(tables['Pilot'], 'id', row['captain']),
  },
  computed: { 'Pilot.badge': { compute: ({ name }) => `badge of ${JSON.stringify(name)}` } },
  subgraphs: {
    staff: {
      sdl: `
      extend type Query { pilots: [Pilot] }
      type Pilot @key(fields: "id") { id: ID! name: String mail: String }`,
    },
    fleet: {
      sdl: `
      type Query { pilot: Pilot crew: Pilot @provides(fields: "name") planes: [Plane!]! }
      extend type Pilot @key(fields: "id") { id: ID! @external name: String @external rank: Int plane: Plane badge: String @requires(fields: "name") }
      type Plane @key(fields: "reg") { reg: ID! model: String captain: Pilot @provides(fields: "name") }`,
    },
    cabin: { sdl: `extend type Plane @key(fields: "reg") { reg: ID! @external seats: Int! }` },
  },
  operations: [
    { name: 'the external key', query: '{ pilot { id } }' },
    { name: 'a field of the owner from the extension', query: '{ pilot { id name mail } }' },
    { name: 'provided here, not there', query: '{ crew { name } pilot { name } }' },
    { name: 'an input that is provided elsewhere', query: '{ pilots { badge rank } crew { badge } }' },
    {
      name: 'through the plane to its captain',
      query: '{ pilots { plane { model seats captain { name rank } } } }',
    },
    { name: 'aliases', query: '{ p: pilot { name: id id: name mail: rank b: badge } }' },
    {
      name: 'fragments',
      query: '{ planes { ...P captain { ... on Pilot { badge } } } } fragment P on Plane { reg model }',
    },
    {
      name: 'conditions',
      query: 'query ($b: Boolean = true) { pilot { rank badge @skip(if: $b) mail @include(if: $b) } }',
    },
    { name: 'an error of the owner', query: '{ crew { id name mail } pilots { mail } }', errors: 'exact' },
    { name: 'a non-null error of the extension', query: '{ planes { reg seats } }', errors: 'exact' },
  ],
}

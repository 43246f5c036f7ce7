import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * Value types without a key, whose missing children can only be had by asking an ancestor again elsewhere.
 */
export const ancestors: Suite = {
  name: 'values below entities',
  monolith: `
    type Query { houses: [House!]! house(id: ID!): House tour: Tour }
    type Tour { id: ID! stops: [Stop!] }
    type Stop { order: Int! house: House }
    type House { id: ID! front: Front rooms: [Room!] energy: Energy deed: String! }
    type Front { door: Door windows: Int colour: String }
    type Door { wood: String locks: Int }
    type Room { name: String area: Float walls: [Wall!] }
    type Wall { side: String paint: String }
    type Energy { class: String meters: Meters }
    type Meters { power: Int water: Int }
  `,
  tables: () => ({
    House: [
      {
        __typename: 'House',
        id: 'h1',
        deed: 'D-1',
        front: {
          __typename: 'Front',
          windows: 4,
          colour: 'blue',
          door: { __typename: 'Door', wood: 'oak', locks: 2 },
        },
        rooms: [
          {
            __typename: 'Room',
            name: 'hall',
            area: 9.5,
            walls: [
              { __typename: 'Wall', side: 'n', paint: 'white' },
              { __typename: 'Wall', side: 's', paint: null },
            ],
          },
          { __typename: 'Room', name: 'attic', area: null, walls: [] },
        ],
        energy: { __typename: 'Energy', class: 'B', meters: { __typename: 'Meters', power: 5, water: 6 } },
      },
      {
        __typename: 'House',
        id: 'h2',
        deed: new Error('no deed'),
        front: null,
        rooms: null,
        energy: { __typename: 'Energy', class: null, meters: null },
      },
    ],
    Tour: [
      {
        __typename: 'Tour',
        id: 't',
        stops: [
          { __typename: 'Stop', order: 1, house: 'h2' },
          { __typename: 'Stop', order: 2, house: 'h1' },
        ],
      },
    ],
  }),
  fields: {
    'Query.houses': (_row, _args, tables) => tables['House'],
    'Query.house': (_row, args, tables) => find(tables['House'], 'id', args['id']),
    'Query.tour': (_row, _args, tables) => tables['Tour']?.[0],
    'Stop.house': (row, _args, tables) => find(tables['House'], 'id', row['house']),
  },
  subgraphs: {
    survey: {
      sdl: `${FED2}
        type Query { houses: [House!]! house(id: ID!): House }
        type House @key(fields: "id") { id: ID! front: Front @shareable rooms: [Room!] @shareable }
        type Front @shareable { door: Door windows: Int }
        type Door @shareable { wood: String }
        type Room @shareable { name: String walls: [Wall!] }
        type Wall @shareable { side: String }`,
    },
    security: {
      sdl: `${FED2}
        type House @key(fields: "id") { id: ID! front: Front @shareable energy: Energy @shareable }
        type Front @shareable { door: Door }
        type Door @shareable { locks: Int }
        type Energy @shareable { class: String meters: Meters }
        type Meters @shareable { power: Int }`,
    },
    paint: {
      sdl: `${FED2}
        type House @key(fields: "id") { id: ID! front: Front @shareable rooms: [Room!] @shareable energy: Energy @shareable deed: String! }
        type Front @shareable { colour: String }
        type Room @shareable { area: Float walls: [Wall!] }
        type Wall @shareable { paint: String }
        type Energy @shareable { meters: Meters }
        type Meters @shareable { water: Int }`,
    },
    tours: {
      sdl: `${FED2}
        type Query { tour: Tour }
        type Tour @key(fields: "id") { id: ID! stops: [Stop!] }
        type Stop { order: Int! house: House }
        type House @key(fields: "id", resolvable: false) { id: ID! }`,
    },
  },
  operations: [
    { name: 'one level below', query: '{ houses { front { windows colour } } }' },
    { name: 'two levels below', query: '{ houses { front { door { wood locks } } } }' },
    {
      name: 'three subgraphs for one value',
      query: '{ house(id: "h1") { front { windows colour door { locks wood } } } }',
    },
    { name: 'lists below', query: '{ houses { rooms { name area } } }' },
    { name: 'lists in lists below', query: '{ houses { rooms { walls { side paint } area } } }' },
    {
      name: 'a value that the first subgraph does not know at all',
      query: '{ houses { energy { class meters { power water } } } }',
    },
    {
      name: 'from a source that has only the key',
      query:
        '{ tour { stops { order house { front { colour windows } energy { meters { water power } } } } } }',
    },
    {
      name: 'the same value twice under aliases',
      query: '{ houses { a: front { colour } b: front { windows door { locks } } } }',
    },
    {
      name: 'deepest only',
      query: '{ house(id: "h1") { rooms { walls { paint } } front { door { locks } } } }',
    },
    {
      name: 'fragments',
      query:
        '{ house(id: "h1") { ...H front { ... on Front { colour } } } } fragment H on House { front { door { ...D } } rooms { ... { area } } } fragment D on Door { locks wood }',
    },
    {
      name: 'conditions on the pieces',
      query:
        'query ($p: Boolean!) { houses { front { windows colour @include(if: $p) door @skip(if: $p) { locks } } rooms @include(if: $p) { area } } }',
      variables: { p: false },
    },
    {
      name: 'a non-null error of one of the pieces',
      query: '{ tour { stops { order house { id deed front { windows } } } } }',
      errors: 'exact',
    },
  ],
}

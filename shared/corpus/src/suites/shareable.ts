import { FED2, find, type Suite } from '../harness/suite.ts'

/** Values without a key that several subgraphs know in parts, under roots and under entities they share. */
export const shareable: Suite = {
  name: 'shareable and split value types',
  monolith: `
    type Query { settings: Settings weather: Weather stations: [Station!]! machine: Machine machines: [Machine!]! }
    type Settings { theme: String locale: String limits: Limits version: Int! }
    type Limits { disk: Int memory: Int }
    type Weather { sky: String wind: Wind }
    type Wind { speed: Int direction: String gusts: [Gust!] }
    type Gust { at: Int force: Int }
    type Station { name: String height: Int }
    type Machine { id: ID! status: Status config: Config title: String }
    type Status { up: Boolean load: Float since: Int owner: Operator fault: Int! }
    type Config { a: Int b: Int c: Deep }
    type Deep { x: Int y: Int }
    type Operator { id: ID! nick: String mail: String }
  `,
  tables: () => ({
    Machine: [
      {
        __typename: 'Machine',
        id: 'm1',
        title: 'press',
        status: {
          __typename: 'Status',
          up: true,
          load: 0.5,
          since: 2001,
          owner: 'o1',
          fault: new Error('fault'),
        },
        config: { __typename: 'Config', a: 1, b: 2, c: { __typename: 'Deep', x: 3, y: 4 } },
      },
      {
        __typename: 'Machine',
        id: 'm2',
        title: null,
        status: null,
        config: { __typename: 'Config', a: 5, b: null, c: null },
      },
    ],
    Operator: [{ __typename: 'Operator', id: 'o1', nick: 'op', mail: 'op@x.test' }],
  }),
  fields: {
    'Query.settings': () => ({
      __typename: 'Settings',
      theme: 'dark',
      locale: 'nb',
      version: 3,
      limits: { __typename: 'Limits', disk: 10, memory: 20 },
    }),
    'Query.weather': () => ({
      __typename: 'Weather',
      sky: 'grey',
      wind: {
        __typename: 'Wind',
        speed: 7,
        direction: 'NW',
        gusts: [
          { __typename: 'Gust', at: 1, force: 9 },
          { __typename: 'Gust', at: 2, force: 8 },
        ],
      },
    }),
    'Query.stations': () => [
      { __typename: 'Station', name: 'Fell', height: 900 },
      { __typename: 'Station', name: 'Quay', height: 2 },
    ],
    'Query.machine': (_row, _args, tables) => tables['Machine']?.[0],
    'Query.machines': (_row, _args, tables) => tables['Machine'],
    'Status.owner': (row, _args, tables) => find(tables['Operator'], 'id', row['owner']),
  },
  subgraphs: {
    alpha: {
      sdl: `${FED2}
        type Query { settings: Settings @shareable weather: Weather @shareable stations: [Station!]! @shareable machine: Machine machines: [Machine!]! }
        type Settings @shareable { theme: String version: Int! limits: Limits }
        type Limits @shareable { disk: Int }
        type Weather @shareable { sky: String wind: Wind }
        type Wind @shareable { speed: Int gusts: [Gust!] }
        type Gust @shareable { at: Int }
        type Station @shareable { name: String }
        type Machine @key(fields: "id") { id: ID! title: String status: Status @shareable config: Config @shareable }
        type Status @shareable { up: Boolean }
        type Config @shareable { a: Int c: Deep }
        type Deep @shareable { x: Int }`,
    },
    beta: {
      sdl: `${FED2}
        type Query { settings: Settings @shareable weather: Weather @shareable stations: [Station!]! @shareable }
        type Settings @shareable { locale: String version: Int! limits: Limits }
        type Limits @shareable { memory: Int }
        type Weather @shareable { sky: String wind: Wind }
        type Wind @shareable { direction: String gusts: [Gust!] }
        type Gust @shareable { force: Int }
        type Station @shareable { height: Int }
        type Machine @key(fields: "id") { id: ID! status: Status @shareable config: Config @shareable }
        type Status @shareable { load: Float owner: Operator }
        type Config @shareable { b: Int c: Deep }
        type Deep @shareable { y: Int }
        type Operator @key(fields: "id") { id: ID! nick: String }`,
    },
    gamma: {
      sdl: `${FED2}
        type Machine @key(fields: "id") { id: ID! status: Status @shareable }
        type Status @shareable { since: Int fault: Int! }
        type Operator @key(fields: "id") { id: ID! mail: String }`,
    },
  },
  operations: [
    {
      name: 'a part that one subgraph has whole',
      query: '{ settings { locale version limits { memory } } }',
    },
    { name: 'a root value put together from two subgraphs', query: '{ settings { theme locale version } }' },
    { name: 'split below the root value', query: '{ settings { limits { memory disk } } }' },
    { name: 'split two levels below', query: '{ weather { wind { direction speed } sky } }' },
    { name: 'split inside a list below', query: '{ weather { wind { gusts { force at } } } }' },
    { name: 'lists put together by index', query: '{ stations { height name } }' },
    {
      name: 'a value of an entity completed by asking the entity elsewhere',
      query: '{ machine { status { up load } } }',
    },
    { name: 'completed by three subgraphs', query: '{ machines { id title status { since load up } } }' },
    { name: 'a deep value of an entity', query: '{ machines { config { c { y x } b a } } }' },
    {
      name: 'an entity below a value below an entity',
      query: '{ machine { status { owner { mail nick } up } } }',
    },
    {
      name: 'several splits under aliases',
      query: '{ one: settings { theme locale } two: settings { locale limits { disk memory } } }',
    },
    { name: 'only what every subgraph knows', query: '{ settings { version } weather { sky } }' },
    {
      name: 'fragments',
      query:
        '{ settings { ...S limits { ... on Limits { disk } } } } fragment S on Settings { locale ... { theme limits { memory } } }',
    },
    {
      name: 'conditions on one side of the split',
      query:
        'query ($l: Boolean!) { settings { theme locale @include(if: $l) limits @include(if: $l) { memory disk } } machine { status { up load @skip(if: $l) } } }',
      variables: { l: false },
    },
    {
      name: 'a non-null error in one piece of a value',
      query: '{ machine { title status { up fault } } }',
      errors: 'exact',
    },
  ],
}

import { FED2, find, type Suite } from '../harness/suite.ts'

/** Enums that subgraphs know in different parts: output takes the union of values, input the intersection. */
export const enums: Suite = {
  name: 'enums that differ',
  monolith: `
    type Query { lamps(mode: Mode): [Lamp!]! lamp(id: ID!): Lamp modes: [State] strict: State! }
    type Lamp { id: ID! state: State health: Health! history: [State!] wears(in: Mode = DAY): Int last: Health }
    enum State { ON OFF DIM BLINK }
    enum Health { GOOD BAD }
    enum Mode { DAY NIGHT }
  `,
  tables: () => ({
    Lamp: [
      { __typename: 'Lamp', id: '1', state: 'DIM', health: 'GOOD', history: ['ON', 'OFF'], last: 'BAD' },
      { __typename: 'Lamp', id: '2', state: 'ON', health: 'BAD', history: [], last: null },
      { __typename: 'Lamp', id: '3', state: null, health: 'GOOD', history: null, last: 'BROKEN' },
    ],
  }),
  fields: {
    'Query.lamps': (_row, { mode }, tables) => (mode === 'NIGHT' ? tables['Lamp']?.slice(1) : tables['Lamp']),
    'Query.lamp': (_row, args, tables) => find(tables['Lamp'], 'id', args['id']),
    'Query.modes': () => ['BLINK', null, 'DIM'],
    'Query.strict': () => 'WEIRD',
    'Lamp.wears': (_row, args) => (args['in'] === 'NIGHT' ? 2 : 1),
  },
  subgraphs: {
    lamps: {
      sdl: `${FED2}
        type Query { lamps(mode: Mode): [Lamp!]! lamp(id: ID!): Lamp strict: State! }
        type Lamp @key(fields: "id") { id: ID! state: State health: Health! }
        enum State { ON OFF DIM WEIRD @inaccessible }
        enum Health { GOOD BAD BROKEN @inaccessible }
        enum Mode { DAY NIGHT DUSK }`,
    },
    logs: {
      sdl: `${FED2}
        type Query { modes: [State] }
        type Lamp @key(fields: "id") { id: ID! history: [State!] wears(in: Mode = DAY): Int last: Health }
        enum State { ON OFF BLINK DIM }
        enum Health { GOOD BAD BROKEN @inaccessible }
        enum Mode { DAY NIGHT DAWN }`,
    },
  },
  operations: [
    { name: 'values of one subgraph', query: '{ lamps { state health } }' },
    { name: 'values of another', query: '{ modes lamps { history } }' },
    { name: 'a common value as literal', query: '{ lamps(mode: NIGHT) { id wears(in: NIGHT) w: wears } }' },
    {
      name: 'a common value as variable, in both',
      query: 'query ($m: Mode) { lamps(mode: $m) { wears(in: $m) } }',
      variables: { m: 'NIGHT' },
    },
    {
      name: 'the default of a variable',
      query: 'query ($m: Mode = NIGHT) { lamps(mode: $m) { id wears(in: $m) } }',
    },
    { name: 'a value the client may not see', query: '{ lamp(id: "3") { id last } }', errors: 'exact' },
    {
      name: 'a value the client may not see where null is not allowed',
      query: '{ strict }',
      errors: 'exact',
    },
    {
      name: 'what the client may see',
      anyOrder: true,
      query:
        '{ a: __type(name: "State") { enumValues { name } } b: __type(name: "Mode") { enumValues { name } } }',
    },
    {
      name: 'fragments',
      query: '{ lamps { ...L ... on Lamp { history } } } fragment L on Lamp { health last: state }',
    },
    {
      name: 'conditions with the enum beside them',
      query:
        'query ($m: Mode!, $c: Boolean!) { lamps(mode: $m) { state @include(if: $c) wears(in: $m) @skip(if: $c) } }',
      variables: { m: 'DAY', c: false },
    },
    {
      name: 'a hidden value under an alias, in a list',
      query: '{ lamps { id now: last old: history } }',
      errors: 'exact',
    },
  ],
}

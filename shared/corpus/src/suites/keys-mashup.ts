import { FED2, find, type Suite, type Tables } from '../harness/suite.ts'

/** Plain, composite and nested keys, resolvable here and not there, and a requirement behind them. */
export const keysMashup: Suite = {
  name: 'all kinds of keys at once',
  monolith: `
    type Query { box: Box boxes: [Box!]! parts: [Part] }
    type Box { id: ID! parts: [Part!]! }
    type Part { id: ID! serial: ID! code: Code! name: String! label: String tag: String weight: Int twin: Part }
    type Code { one: ID! two: ID! three: ID! }
  `,
  tables: () => ({
    Box: [
      { __typename: 'Box', id: 'x', parts: ['1', '2'] },
      { __typename: 'Box', id: 'y', parts: [] },
    ],
    Part: [
      {
        __typename: 'Part',
        id: '1',
        serial: 's1',
        code: { __typename: 'Code', one: 'a', two: 'b', three: 'c' },
        name: 'nut',
        tag: 'T1',
        weight: 1,
        twin: '2',
      },
      {
        __typename: 'Part',
        id: '2',
        serial: 's2',
        code: { __typename: 'Code', one: 'd', two: 'e', three: 'f' },
        name: 'bolt',
        tag: new Error('no tag'),
        weight: 2,
        twin: null,
      },
    ],
  }),
  fields: {
    'Query.box': (_row, _args, tables) => tables['Box']?.[0],
    'Query.boxes': (_row, _args, tables) => tables['Box'],
    'Query.parts': (_row, _args, tables) => [tables['Part']?.[1], null, tables['Part']?.[0]],
    'Box.parts': (row, _args, tables: Tables) =>
      (row['parts'] as unknown[]).map((id) => find(tables['Part'], 'id', id)),
    'Part.twin': (row, _args, tables) => find(tables['Part'], 'id', row['twin']),
  },
  computed: { 'Part.label': { compute: ({ name }) => `label ${String(name)}` } },
  subgraphs: {
    names: {
      sdl: `${FED2}
        type Part @key(fields: "id") @key(fields: "serial", resolvable: false) @key(fields: "code { one two three }") @key(fields: "id code { two three }", resolvable: false) {
          id: ID! serial: ID! code: Code! name: String!
        }
        type Code @shareable { one: ID! two: ID! three: ID! }`,
    },
    boxes: {
      sdl: `${FED2}
        type Query { box: Box boxes: [Box!]! }
        type Box @key(fields: "id") { id: ID! parts: [Part!]! }
        type Part @key(fields: "id", resolvable: false) @key(fields: "id code { one two three }") {
          id: ID! code: Code! @shareable
          name: String! @external
          label: String @requires(fields: "name")
        }
        type Code @shareable { one: ID! two: ID! three: ID! }`,
    },
    tags: { sdl: `${FED2} type Part @key(fields: "serial") { serial: ID! tag: String }` },
    scales: {
      sdl: `${FED2}
        type Query { parts: [Part] }
        type Part @key(fields: "id code { two three }") { id: ID! code: Code! @shareable weight: Int twin: Part }
        type Code @shareable { two: ID! three: ID! }`,
    },
  },
  operations: [
    { name: 'keys only', query: '{ box { id parts { id code { one } } } }' },
    {
      name: 'a requirement from the subgraph that cannot be entered by its plain key',
      query: '{ box { parts { id label } } }',
    },
    {
      name: 'a key that only another subgraph gives',
      query: '{ boxes { parts { tag name } } }',
      errors: 'exact',
    },
    { name: 'a partial composite key from its own root', query: '{ parts { id weight code { one two } } }' },
    { name: 'from there to the requirement', query: '{ parts { label twin { label name } } }' },
    {
      name: 'aliases of key parts',
      query:
        '{ box { parts { id: label label: id code { one: two two: three three: one } c: code { one } weight } } }',
    },
    {
      name: 'fragments',
      query:
        '{ boxes { ...B } } fragment B on Box { parts { ...P } } fragment P on Part { serial ... on Part { weight } twin { ... { serial } } }',
    },
    {
      name: 'conditions',
      query:
        'query ($w: Boolean!, $l: Boolean!) { box { parts { id weight @include(if: $w) label @skip(if: $l) tag @include(if: $w) } } }',
      variables: { w: false, l: false },
    },
    { name: 'an error behind a key of a third subgraph', query: '{ parts { tag } }', errors: 'exact' },
    {
      name: 'everything',
      query: '{ boxes { id parts { id serial code { one two three } name label weight twin { weight } } } }',
    },
  ],
}

import { FED2, type Suite } from '../harness/suite.ts'

/**
 * Parts are listed by code, and two subgraphs need their number, which several others give: best one that is
 * asked anyway.
 */
export const stopovers: Suite = {
  name: 'keys from whoever is asked anyway',
  monolith: `
    type Query { parts: [Part!]! }
    type Part { code: ID! number: ID! serial: ID! length: Int weight: Int colour: String price: Int sum: Int owner: String }
  `,
  tables: () => ({
    Part: [
      {
        __typename: 'Part',
        code: 'a',
        number: '1',
        serial: 's1',
        length: 10,
        weight: 100,
        colour: 'red',
        price: 5,
        owner: 'x',
      },
      {
        __typename: 'Part',
        code: 'b',
        number: '2',
        serial: 's2',
        length: 20,
        weight: null,
        colour: new Error('faded'),
        price: 7,
        owner: 'y',
      },
    ],
  }),
  fields: {
    'Query.parts': (_row, _args, tables) => tables['Part'],
  },
  computed: {
    'Part.sum': { compute: ({ weight }) => (weight === null ? null : Number(weight) + 1) },
  },
  subgraphs: {
    list: {
      sdl: `${FED2}
        type Query { parts: [Part!]! }
        type Part @key(fields: "code") { code: ID! }
      `,
    },
    'a-lengths': {
      sdl: `${FED2}
        type Part @key(fields: "code") @key(fields: "number") { code: ID! number: ID! length: Int }
      `,
    },
    'b-prices': {
      sdl: `${FED2}
        type Part @key(fields: "number") { number: ID! price: Int sum: Int @requires(fields: "weight") weight: Int @external }
      `,
    },
    'c-weights': {
      sdl: `${FED2}
        type Part @key(fields: "code") @key(fields: "number") @key(fields: "serial") { code: ID! number: ID! serial: ID! weight: Int }
      `,
    },
    'd-owners': {
      sdl: `${FED2}
        type Part @key(fields: "serial") { serial: ID! owner: String }
      `,
    },
    'e-colours': {
      sdl: `${FED2}
        type Part @key(fields: "code") @key(fields: "number") { code: ID! number: ID! colour: String }
      `,
    },
  },
  operations: [
    { name: 'from the lowest where it does not matter', query: '{ parts { price } }' },
    { name: 'from the one that is asked for a field', query: '{ parts { colour price } }', errors: 'exact' },
    { name: 'from another one', query: '{ parts { price weight } }' },
    { name: 'with a requirement that is answered there', query: '{ parts { sum } }' },
    { name: 'from the one that is asked for another key', query: '{ parts { owner price } }' },
    {
      name: 'from either of two that are asked',
      query: '{ parts { length weight price owner } }',
    },
    {
      name: 'through a fragment and other names',
      query: '{ parts { cost: price ...F } } fragment F on Part { number: code paint: colour }',
      errors: 'exact',
    },
    {
      name: 'from the lowest once the other is skipped',
      query: 'query ($s: Boolean!) { parts { price weight @skip(if: $s) } }',
      variables: { s: true },
    },
  ],
}

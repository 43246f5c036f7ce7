import { FED2, find, type Suite } from '../harness/suite.ts'

/** Leaf values at their edges, and ids that go to the next subgraph exactly as they came. */
export const scalars: Suite = {
  name: 'scalars',
  monolith: `
    scalar Json
    scalar Date
    type Query { values: Values pieces: [Piece!]! piece(id: ID!): Piece }
    type Values { zero: Int negative: Int max: Int min: Int float: Float whole: Float tiny: Float yes: Boolean no: Boolean empty: String unicode: String escapes: String json: Json date: Date list: [Json] nothing: Json id: ID }
    type Piece { id: ID! code: Int! meta: Json size: Float next: Piece at: Date serial: String! ratio: Float! live: Boolean! note: String }
  `,
  tables: () => ({
    Piece: [
      {
        __typename: 'Piece',
        id: '1',
        code: 0,
        serial: '',
        ratio: 0.5,
        live: false,
        meta: { a: [1, { b: null }], constructor: 'x' },
        size: 1,
        next: '"quoted\\"',
        at: '2026-01-01',
        note: 'zero',
      },
      {
        __typename: 'Piece',
        id: '"quoted\\"',
        code: -1,
        serial: 'a\u0001b',
        ratio: 1,
        live: true,
        meta: [],
        size: 2.5,
        next: '☃ é 🦊',
        at: null,
        note: 'quote',
      },
      {
        __typename: 'Piece',
        id: '☃ é 🦊',
        code: 2147483647,
        serial: '1',
        ratio: -1e-9,
        live: true,
        meta: 'text',
        size: null,
        next: null,
        at: '\u2028',
        note: 'wide',
      },
    ],
  }),
  fields: {
    'Query.values': () => ({
      __typename: 'Values',
      zero: 0,
      negative: -1,
      max: 2147483647,
      min: -2147483648,
      float: 1.25,
      whole: 3,
      tiny: 1e-7,
      yes: true,
      no: false,
      empty: '',
      unicode: '☃ 🦊 ÿ',
      escapes: 'a"b\\c\n\t\u2028',
      json: { deep: { er: [1, 'two', null, true] }, __typename: 'not a type' },
      date: '2026-11-21',
      list: [1, 'a', null, {}, []],
      nothing: null,
      id: '007',
    }),
    'Query.pieces': (_row, _args, tables) => tables['Piece'],
    'Query.piece': (_row, args, tables) => find(tables['Piece'], 'id', args['id']),
    'Piece.next': (row, _args, tables) => find(tables['Piece'], 'id', row['next']),
  },
  subgraphs: {
    pieces: {
      sdl: `${FED2}
        scalar Json
        type Query { pieces: [Piece!]! piece(id: ID!): Piece }
        type Piece @key(fields: "id") @key(fields: "code serial ratio live") { id: ID! code: Int! serial: String! ratio: Float! live: Boolean! next: Piece }`,
    },
    details: {
      sdl: `${FED2}
        scalar Json
        scalar Date
        type Query { values: Values }
        type Values { zero: Int negative: Int max: Int min: Int float: Float whole: Float tiny: Float yes: Boolean no: Boolean empty: String unicode: String escapes: String json: Json date: Date list: [Json] nothing: Json id: ID }
        type Piece @key(fields: "id") { id: ID! meta: Json size: Float at: Date }`,
    },
    notes: {
      sdl: `${FED2} type Piece @key(fields: "code serial ratio live") { code: Int! serial: String! ratio: Float! live: Boolean! note: String }`,
    },
  },
  operations: [
    { name: 'numbers', query: '{ values { zero negative max min float whole tiny } }' },
    { name: 'the rest', query: '{ values { yes no empty unicode escapes date id nothing } }' },
    { name: 'structured values', query: '{ values { json list } }' },
    { name: 'ids with quotes and wide characters as keys', query: '{ pieces { id meta size at } }' },
    { name: 'a key of zero, empty string, float and false', query: '{ pieces { note } }' },
    { name: 'through the chain', query: '{ piece(id: "1") { next { size note next { meta note } } } }' },
    { name: 'an id from a literal number', query: '{ piece(id: 1) { id meta } }' },
    {
      name: 'an id from a variable with quotes',
      query: 'query ($id: ID!) { piece(id: $id) { id size code } }',
      variables: { id: '"quoted\\"' },
    },
  ],
}

import { find, type Suite } from '../harness/suite.ts'

/**
 * Federation 1: an `@extends` type with several keys, all made of external fields, of which each way in knows
 * another.
 */
export const federation1Keys: Suite = {
  name: 'federation 1, an extension with several keys',
  monolith: `
    type Query { readers: [Reader!]! random: Reader lent: [Copy] }
    type Reader { id: ID! mail: String! phone: String rank: Int loans: [Copy!] }
    type Copy { no: Int! reader: Reader shelf: String! }
  `,
  tables: () => ({
    Reader: [
      { __typename: 'Reader', id: '1', mail: 'a@x', phone: '11', rank: 5 },
      { __typename: 'Reader', id: '2', mail: 'b@x', phone: null, rank: new Error('no rank') },
    ],
    Copy: [
      { __typename: 'Copy', no: 10, reader: '1', shelf: 'A' },
      { __typename: 'Copy', no: 11, reader: '2', shelf: new Error('no shelf') },
    ],
  }),
  fields: {
    'Query.readers': (_row, _args, tables) => tables['Reader'],
    'Query.random': (_row, _args, tables) => tables['Reader']?.[0],
    'Query.lent': (_row, _args, tables) => [tables['Copy']?.[1], null, tables['Copy']?.[0]],
    'Reader.loans': (row, _args, tables) => tables['Copy']?.filter(({ reader }) => reader === row['id']),
    'Copy.reader': (row, _args, tables) => find(tables['Reader'], 'id', row['reader']),
  },
  subgraphs: {
    readers: {
      sdl: `
        type Query { readers: [Reader!]! }
        type Reader @key(fields: "id") @key(fields: "mail") { id: ID! mail: String! phone: String }`,
    },
    desk: {
      sdl: `
        type Query { random: Reader }
        type Reader @extends @key(fields: "mail") @key(fields: "id") { id: ID! @external mail: String! @external rank: Int loans: [Copy!] }
        type Copy @key(fields: "no") { no: Int! reader: Reader }`,
    },
    shelves: {
      sdl: `
        type Query { lent: [Copy] }
        type Copy @extends @key(fields: "no") { no: Int! @external shelf: String! }`,
    },
  },
  operations: [
    { name: 'both keys, given by the extension', query: '{ random { id mail } }' },
    { name: 'one key of the extension and the owner', query: '{ random { id phone } }' },
    { name: 'into the extension', query: '{ readers { mail rank } }', errors: 'exact' },
    { name: 'an extension of an extension', query: '{ random { loans { no shelf reader { phone } } } }' },
    { name: 'aliases of the keys', query: '{ random { mail: id id: mail number: phone } }' },
    {
      name: 'fragments',
      query: '{ readers { ...R } } fragment R on Reader { ... on Reader { mail } loans { ... { no } } }',
    },
    {
      name: 'conditions',
      query: 'query ($p: Boolean!) { random { id phone @skip(if: $p) rank @include(if: $p) } }',
      variables: { p: true },
    },
    {
      name: 'a list with null from the extension',
      query: '{ lent { no reader { id rank } } }',
      errors: 'exact',
    },
    { name: 'a non-null error', query: '{ readers { id loans { shelf } } lent { shelf } }', errors: 'exact' },
  ],
}

import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * External fields without a visible use: keys of extensions, and leftovers that nothing requires or provides.
 */
export const externalKeys: Suite = {
  name: 'external fields without a use',
  monolith: `
    type Query { song: Song songs: [Song!]! hits: [Song] singer: Singer }
    type Song { id: ID! title: String seconds: Int plays: Int! singer: Singer }
    type Singer { id: ID! name: String songs: [Song!] }
  `,
  tables: () => ({
    Song: [
      { __typename: 'Song', id: '1', title: 'Air', seconds: 120, plays: 9, singer: 'a' },
      {
        __typename: 'Song',
        id: '2',
        title: new Error('no title'),
        seconds: null,
        plays: new Error('no plays'),
        singer: 'a',
      },
    ],
    Singer: [{ __typename: 'Singer', id: 'a', name: 'Anja' }],
  }),
  fields: {
    'Query.song': (_row, _args, tables) => tables['Song']?.[0],
    'Query.songs': (_row, _args, tables) => tables['Song'],
    'Query.hits': (_row, _args, tables) => [tables['Song']?.[1], null, tables['Song']?.[0]],
    'Query.singer': (_row, _args, tables) => tables['Singer']?.[0],
    'Song.singer': (row, _args, tables) => find(tables['Singer'], 'id', row['singer']),
    'Singer.songs': (row, _args, tables) => tables['Song']?.filter(({ singer }) => singer === row['id']),
  },
  subgraphs: {
    songs: {
      sdl: `
        type Query { song: Song songs: [Song!]! }
        type Song @key(fields: "id") { id: ID! title: String seconds: Int }`,
    },
    charts: {
      sdl: `
        extend type Query { hits: [Song] }
        extend type Song @key(fields: "id") { id: ID! @external title: String @external seconds: Int @external plays: Int! }`,
    },
    artists: {
      sdl: `${FED2}
        type Query { singer: Singer }
        type Singer @key(fields: "id") { id: ID! name: String songs: [Song!] }
        type Song @key(fields: "id") { id: ID! singer: Singer }`,
    },
  },
  operations: [
    { name: 'an unused external field', query: '{ hits { id title } }', errors: 'exact' },
    { name: 'the external key', query: '{ hits { id } }' },
    { name: 'to the extension', query: '{ song { title plays } }' },
    { name: 'three subgraphs', query: '{ singer { name songs { id seconds singer { name } } } }' },
    { name: 'aliases', query: '{ song { id: title title: id p: plays q: plays } }' },
    {
      name: 'fragments',
      query:
        '{ song { ...S ... on Song { seconds } } } fragment S on Song { plays singer { ... on Singer { id } } }',
    },
    {
      name: 'conditions',
      query: 'query ($c: Boolean!) { song { title @skip(if: $c) plays @include(if: $c) } }',
      variables: { c: true },
    },
    {
      name: 'a non-null error of the extension',
      query: '{ singer { songs { id plays } } hits { seconds plays } }',
      errors: 'exact',
    },
    { name: 'a list with null', query: '{ hits { seconds singer { songs { seconds } } } }' },
  ],
}

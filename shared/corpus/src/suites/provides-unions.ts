import { FED2, find, type Suite } from '../harness/suite.ts'

/** Provided fields on single members of a union. */
export const providesUnions: Suite = {
  name: 'provided fields of unions',
  monolith: `
    type Query { feed: [Media] best: Media other: [[Media!]] box: Box }
    type Box { media: Media inner: Box }
    union Media = Book | Song | Film
    type Book { id: ID! title: String writer: Writer }
    type Song { id: ID! title: String bars: Int! }
    type Film { id: ID! title: String }
    type Writer { name: String born: Int }
  `,
  tables: () => ({
    Book: [
      {
        __typename: 'Book',
        id: 'b1',
        title: 'Sult',
        writer: { __typename: 'Writer', name: 'Knut', born: new Error('no year') },
      },
    ],
    Song: [
      { __typename: 'Song', id: 's1', title: 'Aase', bars: 44 },
      { __typename: 'Song', id: 's2', title: null, bars: new Error('no bars') },
    ],
    Film: [{ __typename: 'Film', id: 'f1', title: new Error('no title') }],
  }),
  fields: {
    'Query.feed': (_row, _args, tables) => [
      tables['Song']?.[0],
      null,
      tables['Book']?.[0],
      tables['Film']?.[0],
    ],
    'Query.best': (_row, _args, tables) => tables['Book']?.[0],
    'Query.other': (_row, _args, tables) => [[tables['Song']?.[1], tables['Book']?.[0]], null],
    'Query.box': (_row, _args, tables) => ({
      __typename: 'Box',
      media: tables['Song']?.[0],
      inner: { __typename: 'Box', media: find(tables['Film'], 'id', 'f1'), inner: null },
    }),
  },
  subgraphs: {
    press: {
      sdl: `${FED2}
        type Query { feed: [Media] @provides(fields: "... on Book { title } ... on Song { bars }") best: Media @provides(fields: "... on Book { title writer { name } }") box: Box @provides(fields: "media { ... on Song { title } } inner { media { ... on Film { title } } }") }
        type Box { media: Media inner: Box }
        union Media = Book | Song | Film
        type Book @key(fields: "id") { id: ID! title: String @external writer: Writer @external }
        type Song @key(fields: "id") { id: ID! title: String @external bars: Int! @external }
        type Film @key(fields: "id") { id: ID! title: String @external }
        type Writer { name: String @external }`,
    },
    owner: {
      sdl: `${FED2}
        type Query { other: [[Media!]] }
        union Media = Book | Song | Film
        type Book @key(fields: "id") { id: ID! title: String @shareable writer: Writer @shareable }
        type Song @key(fields: "id") { id: ID! title: String @shareable bars: Int! @shareable }
        type Film @key(fields: "id") { id: ID! title: String @shareable }
        type Writer @shareable { name: String born: Int }`,
    },
  },
  operations: [
    { name: 'provided for each member', query: '{ feed { ... on Book { id title } ... on Song { bars } } }' },
    {
      name: 'provided for one member, not for another',
      query: '{ feed { ... on Book { title } ... on Song { title bars } } }',
    },
    { name: 'a value inside the member', query: '{ best { ... on Book { writer { name } title } } }' },
    {
      name: 'beside the provided value',
      query:
        '{ best { ... on Book { writer { name } id } ... on Film { title } } feed { ... on Book { writer { name } } } }',
    },
    {
      name: 'below another object',
      query: '{ box { media { ... on Song { title } } inner { media { ... on Song { title } } } } }',
    },
    { name: 'the owner itself', query: '{ box { media { ... on Film { id } } } feed { __typename } }' },
    {
      name: 'aliases',
      query: '{ feed { ... on Book { id: title title: id } ... on Song { n: bars m: bars } } }',
    },
    {
      name: 'fragments',
      query:
        '{ feed { ...M } best { ...M } } fragment M on Media { ...B ... on Song { bars } } fragment B on Book { title }',
    },
    {
      name: 'conditions',
      query:
        'query ($t: Boolean!) { feed { ... on Book @include(if: $t) { title } ... on Song { id title @skip(if: $t) } } }',
      variables: { t: true },
    },
    {
      name: 'an error beside the provided fields',
      query: '{ best { ... on Book { writer { name born } } } feed { ... on Film { title id } } }',
      errors: 'exact',
    },
    {
      name: 'an error in a provided field',
      query: '{ box { inner { media { ... on Film { id title } } } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error in lists of lists',
      query: '{ other { ... on Song { bars } ... on Book { title } } }',
      errors: 'exact',
    },
    { name: 'no member at all', query: '{ box { media { __typename } } feed { __typename } }' },
  ],
}

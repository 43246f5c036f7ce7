import { FED2, find, type Suite } from '../harness/suite.ts'

/** A book is known by number to some subgraphs and by barcode to others; only the catalogue knows both. */
export const keys: Suite = {
  name: 'keys',
  monolith: `
    type Query { books: [Book!]! book(number: ID!): Book shelf: [Book!]! topRated: [Rating!]! }
    type Book { number: ID! barcode: String! title: String price: Int copies: Int rating: Float blurb: String author: Author lent: Int! }
    type Author { penName: String! country: String! born: Int books: [Book!] }
    type Rating { stars: Int! book: Book! }
  `,
  tables: () => ({
    Book: [
      {
        __typename: 'Book',
        number: '1',
        barcode: 'A-1',
        title: 'Ash',
        price: 10,
        copies: 3,
        rating: 4.5,
        blurb: 'grey',
        lent: 1,
        author: 'x',
      },
      {
        __typename: 'Book',
        number: '2',
        barcode: 'B-2',
        title: 'Birch',
        price: 20,
        copies: 0,
        rating: 3,
        blurb: 'white',
        lent: new Error('not lent'),
        author: 'y',
      },
      {
        __typename: 'Book',
        number: '3',
        barcode: 'C-3',
        title: 'Cedar',
        price: 30,
        copies: 7,
        rating: 5,
        blurb: null,
        lent: 3,
        author: 'x',
      },
    ],
    Author: [
      { __typename: 'Author', penName: 'x', country: 'no', born: 1950 },
      { __typename: 'Author', penName: 'y', country: 'se', born: 1960 },
    ],
  }),
  fields: {
    'Query.books': (_row, _args, tables) => tables['Book'],
    'Query.book': (_row, args, tables) => find(tables['Book'], 'number', args['number']),
    'Query.shelf': (_row, _args, tables) => tables['Book']?.toReversed(),
    'Query.topRated': (_row, _args, tables) =>
      tables['Book']
        ?.filter((book) => Number(book['rating']) > 4)
        .map((book) => ({ __typename: 'Rating', stars: 5, book })),
    'Book.author': (book, _args, tables) => find(tables['Author'], 'penName', book['author']),
    'Author.books': (author, _args, tables) =>
      tables['Book']?.filter((book) => book['author'] === author['penName']),
  },
  subgraphs: {
    catalogue: {
      sdl: `${FED2}
        type Query { books: [Book!]! book(number: ID!): Book }
        type Book @key(fields: "number") @key(fields: "barcode") { number: ID! barcode: String! title: String author: Author }
        type Author @key(fields: "penName country") { penName: String! country: String! }`,
    },
    prices: { sdl: `${FED2} type Book @key(fields: "number") { number: ID! price: Int }` },
    warehouse: {
      sdl: `${FED2} type Query { shelf: [Book!]! } type Book @key(fields: "barcode") { barcode: String! copies: Int lent: Int! }`,
    },
    ratings: {
      sdl: `${FED2}
        type Query { topRated: [Rating!]! }
        type Rating { stars: Int! book: Book! }
        type Book @key(fields: "barcode") { barcode: String! rating: Float blurb: String }`,
    },
    people: {
      sdl: `${FED2}
        type Author @key(fields: "penName country") { penName: String! country: String! born: Int books: [Book!] }
        type Book @key(fields: "number") { number: ID! }`,
    },
  },
  operations: [
    { name: 'fields of one subgraph only', query: '{ books { title number } }' },
    { name: 'one hop by each key', query: '{ books { title price copies } }' },
    { name: 'a hop that first has to exchange one key for the other', query: '{ shelf { copies price } }' },
    { name: 'the exchanged key is selected as well', query: '{ shelf { number price barcode copies } }' },
    {
      name: 'three subgraphs from a root without the title',
      query: '{ topRated { stars book { title price rating copies } } }',
    },
    { name: 'a composite key', query: '{ books { title author { born } } }' },
    {
      name: 'a composite key, its parts selected under other names',
      query: '{ book(number: "2") { author { country: penName penName: country born } } }',
    },
    {
      name: 'there and back again',
      query: '{ book(number: "1") { author { books { barcode rating author { penName } } } } }',
    },
    { name: 'an argument that finds nothing', query: '{ book(number: "404") { title price copies } }' },
    { name: 'a field that only the far side has', query: '{ shelf { blurb } }' },
    { name: 'the same entities by two roots', query: '{ books { price } shelf { price } }' },
    {
      name: 'fragments',
      query:
        '{ shelf { ...B author { ... on Author { born } } } } fragment B on Book { price ... { rating } }',
    },
    {
      name: 'conditions that spare the exchange of keys',
      query:
        'query ($p: Boolean!) { shelf { copies price @include(if: $p) title @include(if: $p) rating @skip(if: $p) } }',
      variables: { p: false },
    },
    {
      name: 'a non-null error behind a key',
      query: '{ two: book(number: "2") { title lent } one: book(number: "1") { price lent } }',
      errors: 'exact',
    },
  ],
}

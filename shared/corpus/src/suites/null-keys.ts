import { FED2, find, type Suite } from '../harness/suite.ts'

/** The hop in the middle answers null, or without the key that the next hop needs. */
export const nullKeys: Suite = {
  name: 'keys that turn out null',
  monolith: `
    type Query { carts: [Cart!]! cart: Cart }
    type Cart { id: ID! book: Book books: [[Book]] }
    type Book { upc: ID! id: ID author: Author price: Int! pages: Int summary: String }
    type Author { id: ID! name: String alias: String! }
  `,
  tables: () => ({
    Cart: [
      { __typename: 'Cart', id: '1', book: 'u1' },
      { __typename: 'Cart', id: '2', book: 'u2' },
      { __typename: 'Cart', id: '3', book: 'u3' },
      { __typename: 'Cart', id: '4', book: null },
    ],
    Book: [
      { __typename: 'Book', upc: 'u1', id: 'b1', author: 'a1', price: 5, pages: 100 },
      { __typename: 'Book', upc: 'u2', id: null, author: null, price: null, pages: null },
      { __typename: 'Book', upc: 'u3', id: 'b3', author: null, price: null, pages: null },
      { __typename: 'Book', upc: 'u4', id: null, author: null, price: null, pages: null },
    ],
    Author: [
      { __typename: 'Author', id: 'a1', name: 'Ann', alias: 'A' },
      { __typename: 'Author', id: 'a2', name: null, alias: null },
    ],
  }),
  fields: {
    'Query.carts': (_row, _args, tables) => tables['Cart'],
    'Query.cart': (_row, _args, tables) => tables['Cart']?.[1],
    'Cart.book': (row, _args, tables) => find(tables['Book'], 'upc', row['book']),
    'Cart.books': (row, _args, tables) => [
      [find(tables['Book'], 'upc', row['book']), null],
      null,
      [find(tables['Book'], 'upc', 'u4'), find(tables['Book'], 'upc', 'u1')],
    ],
    'Book.author': (row, _args, tables) => find(tables['Author'], 'id', row['author']),
  },
  computed: {
    'Book.summary': { compute: ({ pages }) => (pages === null ? null : `${Number(pages)} pages`) },
  },
  subgraphs: {
    carts: {
      sdl: `${FED2}
        type Query { carts: [Cart!]! cart: Cart }
        type Cart @key(fields: "id") { id: ID! book: Book books: [[Book]] }
        type Book @key(fields: "upc", resolvable: false) { upc: ID! }`,
    },
    codes: {
      sdl: `${FED2} type Book @key(fields: "upc") @key(fields: "id") { upc: ID! id: ID }`,
      missing: ({ upc }) => upc === 'u4',
    },
    authors: {
      sdl: `${FED2}
        type Book @key(fields: "id") { id: ID author: Author price: Int! pages: Int }
        type Author @key(fields: "id") { id: ID! }`,
      missing: ({ id }) => id === 'b3',
    },
    names: {
      sdl: `${FED2}
        type Author @key(fields: "id") { id: ID! name: String alias: String! }
        type Book @key(fields: "id") { id: ID pages: Int @external summary: String @requires(fields: "pages") }`,
    },
  },
  operations: [
    { name: 'a key that needs no hop', query: '{ carts { book { upc } } }' },
    { name: 'the middle hop', query: '{ carts { book { upc id } } }' },
    { name: 'behind the middle hop', query: '{ carts { book { upc pages } } }' },
    { name: 'lists of lists with holes', query: '{ carts { books { pages upc } } }' },
    { name: 'a requirement behind it', query: '{ cart { book { summary } } }' },
    { name: 'nothing but what is behind it', query: '{ cart { book { author { name } } } }' },
    { name: 'aliases', query: '{ cart { id: book { id: upc upc: pages } b: book { upc: id } } }' },
    {
      name: 'fragments',
      query:
        '{ carts { ...C } } fragment C on Cart { book { ... on Book { author { ... on Author { id } } } } }',
    },
    {
      name: 'conditions',
      query: 'query ($p: Boolean!) { carts { book { upc pages @include(if: $p) id @skip(if: $p) } } }',
      variables: { p: false },
    },
    {
      name: 'a non-null field behind a null key',
      query: '{ carts { id book { upc price } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null field behind it, in lists of lists',
      query: '{ cart { books { price } } }',
      errors: 'exact',
    },
  ],
}

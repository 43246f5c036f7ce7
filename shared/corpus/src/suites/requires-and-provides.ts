import { FED2, find, type Suite } from '../harness/suite.ts'

/** The classic four: accounts, products, stock and reviews, with a requirement and a provided name. */
export const requiresAndProvides: Suite = {
  name: 'the classic four subgraphs',
  monolith: `
    type Query { me: User products: [Product] reviews: [Review!]! }
    type User { id: ID! username: String! name: String reviews: [Review] }
    type Product { upc: String! name: String weight: Int price: Int inStock: Boolean shippingEstimate: Int shippingTag: String! reviews: [Review] }
    type Review { id: ID! body: String! author: User product: Product }
  `,
  tables: () => ({
    User: [
      { __typename: 'User', id: 'u1', username: 'u-one', name: 'Una' },
      { __typename: 'User', id: 'u2', username: 'u-two', name: new Error('no name') },
    ],
    Product: [
      { __typename: 'Product', upc: 'p1', name: 'lamp', weight: 1, price: 11, inStock: true },
      {
        __typename: 'Product',
        upc: 'p2',
        name: null,
        weight: 2,
        price: null,
        inStock: new Error('no stock'),
      },
    ],
    Review: [
      { __typename: 'Review', id: 'r1', body: 'good', author: 'u1', product: 'p1' },
      { __typename: 'Review', id: 'r2', body: 'bad', author: 'u2', product: 'p1' },
      { __typename: 'Review', id: 'r3', body: new Error('no body'), author: 'u1', product: 'p2' },
    ],
  }),
  fields: {
    'Query.me': (_row, _args, tables) => tables['User']?.[0],
    'Query.products': (_row, _args, tables) => [...(tables['Product'] ?? []), null],
    'Query.reviews': (_row, _args, tables) => tables['Review']?.slice(0, 2),
    'User.reviews': (row, _args, tables) => tables['Review']?.filter(({ author }) => author === row['id']),
    'Product.reviews': (row, _args, tables) =>
      tables['Review']?.filter(({ product }) => product === row['upc']),
    'Review.author': (row, _args, tables) => find(tables['User'], 'id', row['author']),
    'Review.product': (row, _args, tables) => find(tables['Product'], 'upc', row['product']),
  },
  computed: {
    'Product.shippingEstimate': {
      compute: ({ price, weight }) => (price === null ? null : Number(price) * Number(weight) * 10),
    },
    'Product.shippingTag': {
      compute: ({ price, weight }) => {
        if (price === null) throw new Error('no tag')
        return `#${Number(price)}#${String(weight)}#`
      },
    },
  },
  subgraphs: {
    accounts: {
      sdl: `${FED2} type Query { me: User } type User @key(fields: "id") { id: ID! username: String! @shareable name: String @shareable }`,
    },
    products: {
      sdl: `${FED2} type Query { products: [Product] } type Product @key(fields: "upc") { upc: String! name: String weight: Int price: Int }`,
    },
    stock: {
      sdl: `${FED2}
        type Product @key(fields: "upc") {
          upc: String! weight: Int @external price: Int @external
          inStock: Boolean
          shippingEstimate: Int @requires(fields: "price weight")
          shippingTag: String! @requires(fields: "price weight")
        }`,
    },
    reviews: {
      sdl: `${FED2}
        type Query { reviews: [Review!]! }
        type Review @key(fields: "id") { id: ID! body: String! author: User @provides(fields: "username") product: Product }
        type User @key(fields: "id") { id: ID! username: String! @external reviews: [Review] }
        type Product @key(fields: "upc") { upc: String! reviews: [Review] }`,
    },
  },
  operations: [
    { name: 'a hop', query: '{ me { reviews { id product { inStock } } } }', errors: 'exact' },
    {
      name: 'a provided field',
      query: '{ reviews { author { username } } products { reviews { author { username id } } } }',
    },
    { name: 'a requirement', query: '{ products { shippingEstimate } }' },
    {
      name: 'a requirement behind a review',
      query: '{ me { reviews { product { shippingEstimate } author { username } } } }',
    },
    {
      name: 'the provided user has more to tell',
      query: '{ reviews { author { username name reviews { id } } } }',
      errors: 'exact',
    },
    {
      name: 'aliases',
      query: '{ products { price: weight weight: upc upc: price a: shippingEstimate b: shippingEstimate } }',
    },
    {
      name: 'fragments',
      query:
        '{ me { ...U } } fragment U on User { username reviews { ... on Review { author { ...V } product { ... { name } } } } } fragment V on User { name id }',
    },
    {
      name: 'conditions',
      query:
        'query ($s: Boolean!) { products { upc shippingEstimate @include(if: $s) inStock @include(if: $s) reviews @skip(if: $s) { id } } }',
      variables: { s: false },
    },
    {
      name: 'a requirement that fails, non-null',
      query: '{ products { upc shippingTag } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error behind two hops',
      query: '{ me { username reviews { body author { username } } } }',
      errors: 'exact',
    },
  ],
}

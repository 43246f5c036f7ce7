import { FED2, find, type Suite, type SuiteOperation } from './suite.ts'

/** One small shop, for suites that are about the language of operations and not about the schema. */
export function shopSuite(name: string, operations: readonly SuiteOperation[]): Suite {
  return {
    name,
    monolith: `
      type Query { products: [Product!]! product(id: ID!): Product viewer: Viewer search(text: String): [Hit!] }
      interface Priced { price: Int }
      type Product implements Priced { id: ID! name: String price: Int stock: Int maker: Maker reviews(first: Int = 2): [Review!] deliverable: Boolean }
      type Service implements Priced { id: ID! name: String price: Int hours: Int }
      union Hit = Product | Service | Maker
      type Maker { id: ID! name: String country: String products: [Product!] }
      type Review { id: ID! stars: Int body: String author: Viewer product: Product }
      type Viewer { id: ID! nick: String reviews: [Review!] favourite: Priced }
    `,
    tables: () => ({
      Product: [
        { __typename: 'Product', id: '1', name: 'lamp', price: 30, stock: 4, maker: 'm1' },
        { __typename: 'Product', id: '2', name: 'desk', price: 150, stock: 0, maker: 'm2' },
        { __typename: 'Product', id: '3', name: null, price: null, stock: null, maker: null },
      ],
      Service: [{ __typename: 'Service', id: 's1', name: 'repair', price: 80, hours: 2 }],
      Maker: [
        { __typename: 'Maker', id: 'm1', name: 'Lux', country: 'DK' },
        { __typename: 'Maker', id: 'm2', name: 'Oak', country: 'FI' },
      ],
      Viewer: [
        { __typename: 'Viewer', id: 'v1', nick: 'vi', favourite: 's1' },
        { __typename: 'Viewer', id: 'v2', nick: 'bo', favourite: '2' },
      ],
      Review: [
        { __typename: 'Review', id: 'r1', stars: 5, body: 'bright', author: 'v1', product: '1' },
        { __typename: 'Review', id: 'r2', stars: 1, body: 'dark', author: 'v2', product: '1' },
        { __typename: 'Review', id: 'r3', stars: 3, body: null, author: 'v1', product: '2' },
      ],
    }),
    fields: {
      'Query.products': (_row, _args, tables) => tables['Product'],
      'Query.product': (_row, args, tables) => find(tables['Product'], 'id', args['id']),
      'Query.viewer': (_row, _args, tables) => tables['Viewer']?.[0],
      'Query.search': (_row, { text }, tables) =>
        text === null
          ? null
          : [tables['Service']?.[0], tables['Product']?.[0], tables['Maker']?.[1], tables['Product']?.[1]],
      'Product.maker': (row, _args, tables) => find(tables['Maker'], 'id', row['maker']),
      'Product.reviews': (row, { first }, tables) =>
        tables['Review']?.filter(({ product }) => product === row['id']).slice(0, Number(first)),
      'Maker.products': (row, _args, tables) => tables['Product']?.filter(({ maker }) => maker === row['id']),
      'Review.author': (row, _args, tables) => find(tables['Viewer'], 'id', row['author']),
      'Review.product': (row, _args, tables) => find(tables['Product'], 'id', row['product']),
      'Viewer.reviews': (row, _args, tables) =>
        tables['Review']?.filter(({ author }) => author === row['id']),
      'Viewer.favourite': (row, _args, tables) =>
        find(tables['Service'], 'id', row['favourite']) ?? find(tables['Product'], 'id', row['favourite']),
    },
    computed: {
      'Product.deliverable': { compute: ({ price }) => Number(price) < 100 },
    },
    subgraphs: {
      products: {
        sdl: `${FED2}
          type Query { products: [Product!]! product(id: ID!): Product search(text: String): [Hit!] }
          interface Priced { price: Int }
          type Product implements Priced @key(fields: "id") { id: ID! name: String price: Int @shareable maker: Maker }
          type Service implements Priced @key(fields: "id") { id: ID! name: String price: Int @shareable }
          union Hit = Product | Service | Maker
          type Maker @key(fields: "id") { id: ID! name: String products: [Product!] }`,
      },
      stock: {
        sdl: `${FED2}
          type Product @key(fields: "id") {
            id: ID! stock: Int
            price: Int @external
            deliverable: Boolean @requires(fields: "price")
          }
          type Service @key(fields: "id") { id: ID! hours: Int }
          type Maker @key(fields: "id") { id: ID! country: String }`,
      },
      reviews: {
        sdl: `${FED2}
          type Product @key(fields: "id") { id: ID! reviews(first: Int = 2): [Review!] }
          type Review @key(fields: "id") { id: ID! stars: Int body: String author: Viewer product: Product }
          type Viewer @key(fields: "id") { id: ID! reviews: [Review!] }`,
      },
      viewers: {
        sdl: `${FED2}
          type Query { viewer: Viewer }
          type Viewer @key(fields: "id") { id: ID! nick: String favourite: Priced }
          interface Priced { price: Int }
          type Product implements Priced @key(fields: "id") { id: ID! price: Int @shareable }
          type Service implements Priced @key(fields: "id") { id: ID! price: Int @shareable }`,
      },
    },
    operations,
  }
}

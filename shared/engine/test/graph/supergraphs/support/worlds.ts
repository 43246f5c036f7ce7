/**
 * Data for some of the fixtures: what one server with everything would answer, and the subgraphs with their
 * part of it.
 */
import { find, type Row, type Suite, type SuiteOperation, type Tables } from '@switchyard/corpus'
import { readFixture } from './fixtures.ts'

type World = Pick<Suite, 'monolith' | 'tables' | 'fields' | 'computed'> & {
  /** Supergraphs that tell of this world. */
  readonly fixtures: readonly string[]
  readonly operations: readonly SuiteOperation[]
}

function rows(typename: string, ...values: readonly Readonly<Record<string, unknown>>[]): Row[] {
  return values.map((value) => ({ __typename: typename, ...value }))
}

const all = (type: string) => (_row: Row, _args: unknown, tables: Tables) => tables[type]
const first = (type: string) => (_row: Row, _args: unknown, tables: Tables) => tables[type]?.[0]

/** Other subgraphs read the same rows, so what a mutation changed is what they see. */
function renamed(row: Row | null, name: unknown): Row | null {
  return row === null ? null : Object.assign(row, { name })
}

const brand = { __typename: 'Brand', id: 'b1', label: 'Oak' }

const shopOfFederation1: World = {
  fixtures: ['shop-join-0.1'],
  monolith: `
    type Query { me: User users: [User] topProducts(first: Int = 5): [Product] product(upc: String!): Product node: Node thing: Thing }
    type Mutation { rename(upc: String!, name: String!): Product review(upc: String!, body: String): Review }
    scalar Date
    type Name { first: String last: String }
    type User { id: ID! username: String birth: Date name: Name reviews: [Review] }
    interface Node { upc: String! }
    type Product implements Node { upc: String! sku: String! brand: Brand name: String! price: Int weight: Int reviews: [Review] shippingEstimate: Int }
    type Brand { id: ID! label: String }
    union Thing = Product | Brand
    type Review { id: ID! body: String author: User product: Product }`,
  tables: () => ({
    User: rows(
      'User',
      {
        id: '1',
        username: 'kim',
        birth: '2000-02-29',
        name: { __typename: 'Name', first: 'Kim', last: null },
      },
      { id: '2', username: null, birth: null, name: null },
    ),
    Product: rows(
      'Product',
      { upc: 'p1', sku: 's1', brand, name: 'Table', price: 100, weight: 30 },
      { upc: 'p2', sku: 's2', brand, name: 'Lamp', price: null, weight: 2 },
    ),
    Review: rows(
      'Review',
      { id: 'r1', body: 'Firm', author: '1', product: 'p1' },
      { id: 'r2', body: null, author: '2', product: 'p2' },
    ),
  }),
  fields: {
    'Query.me': first('User'),
    'Query.users': all('User'),
    'Query.topProducts': (_row, args, tables) => tables['Product']?.slice(0, Number(args['first'])),
    'Query.product': (_row, args, tables) => find(tables['Product'], 'upc', args['upc']),
    'Query.node': first('Product'),
    'Query.thing': () => brand,
    'User.reviews': (row, _args, tables) => tables['Review']?.filter(({ author }) => author === row['id']),
    'Product.reviews': (row, _args, tables) =>
      tables['Review']?.filter(({ product }) => product === row['upc']),
    'Review.author': (row, _args, tables) => find(tables['User'], 'id', row['author']),
    'Review.product': (row, _args, tables) => find(tables['Product'], 'upc', row['product']),
    'Mutation.rename': (_row, { upc, name }, tables) => renamed(find(tables['Product'], 'upc', upc), name),
    'Mutation.review': (_row, { upc, body }) => ({
      __typename: 'Review',
      id: 'r9',
      body,
      author: '1',
      product: upc,
    }),
  },
  computed: {
    'Product.shippingEstimate': { compute: ({ price, weight }) => Number(price) + Number(weight) },
  },
  operations: [
    { name: 'an extended type', query: '{ me { username reviews { body product { name } } } }' },
    { name: 'a provided field and one beside it', query: '{ me { reviews { author { username birth } } } }' },
    {
      name: 'keys from an extending subgraph',
      query: '{ users { reviews { product { upc } author { id } } } }',
    },
    { name: 'requirements', query: '{ topProducts(first: 2) { shippingEstimate brand { label } } }' },
    {
      name: 'an interface and a union',
      query: '{ node { __typename upc } thing { ... on Brand { label } } }',
    },
    { name: 'an extension behind an interface', query: '{ node { ... on Product { reviews { id } } } }' },
    { name: 'a value type', query: '{ users { name { first last } } }' },
    {
      name: 'mutations in two subgraphs',
      query:
        'mutation { rename(upc: "p1", name: "Desk") { name } review(upc: "p1", body: "New") { body product { name } } }',
    },
  ],
}

function shop(fixtures: readonly string[], argument: string): World {
  const priced = argument !== ''
  return {
    fixtures,
    monolith: `
      type Query { topProducts(first: Int = 5): [Product] node(id: ID!): Node thing: Thing stats: Stats review(id: ID!): Review anything: Thing }
      type Mutation { rename(id: ID!, name: String!): Product addReview(id: ID!, body: String): Review }
      interface Node { id: ID! }
      type Product implements Node { id: ID! sku: String! brand: Brand name: String! price${argument}: Int weight: Int dims: Dims old: Int reviews(first: Int): [Review!]! shipping: Int stock: Int }
      type Dims { w: Int h: Int }
      type Brand { id: ID! label: String }
      union Thing = Product | Brand | Review
      type Stats { products: Int shared: Int reviews: Int }
      type Review { id: ID! body: String size: Size at: Date product: Product }
      enum Size { S M L }
      scalar Date`,
    tables: () => ({
      Product: rows(
        'Product',
        {
          id: 'p1',
          sku: 's1',
          brand,
          name: 'Table',
          price: 100,
          weight: 30,
          dims: { __typename: 'Dims', w: 7, h: 3 },
          old: 1,
          stock: 4,
        },
        {
          id: 'p2',
          sku: 's2',
          brand,
          name: 'Lamp',
          price: 20,
          weight: null,
          dims: { __typename: 'Dims', w: 1, h: null },
          old: null,
          stock: null,
        },
      ),
      Review: rows(
        'Review',
        { id: 'r1', body: 'Firm', size: 'S', at: 1, product: 'p1' },
        { id: 'r2', body: null, size: 'M', at: null, product: 'p2' },
      ),
    }),
    fields: {
      'Query.topProducts': (_row, args, tables) => tables['Product']?.slice(0, Number(args['first'])),
      'Query.node': (_row, args, tables) => find(tables['Product'], 'id', args['id']),
      'Query.thing': first('Product'),
      'Query.stats': () => ({ __typename: 'Stats', products: 2, reviews: 3, shared: 5 }),
      'Query.review': (_row, args, tables) => find(tables['Review'], 'id', args['id']),
      'Query.anything': first('Review'),
      'Product.price': (row, args) => Number(row['price']) * (args['currency'] === 'USD' ? 2 : 1),
      'Product.reviews': (row, args, tables) =>
        tables['Review']?.filter(({ product }) => product === row['id']).slice(0, Number(args['first'] ?? 9)),
      'Review.product': (row, _args, tables) => find(tables['Product'], 'id', row['product']),
      'Mutation.rename': (_row, { id, name }, tables) => renamed(find(tables['Product'], 'id', id), name),
      'Mutation.addReview': (_row, { id, body }) => ({ __typename: 'Review', id: 'r9', body, product: id }),
    },
    computed: {
      'Product.shipping': {
        compute: ({ price, dims }) => Number(price) * Number((dims as Record<string, unknown>)['w']),
        inputs: (row) => ({ price: Number(row['price']) * (priced ? 2 : 1), dims: row['dims'] }),
      },
    },
    operations: [
      { name: 'a requirement', query: '{ topProducts { shipping name } }' },
      {
        name: 'a requirement beside what it requires',
        query: `{ topProducts { shipping price${priced ? '(currency: "CHF")' : ''} dims { w h } } }`,
      },
      { name: 'a provided field', query: '{ review(id: "r1") { product { name } } }' },
      { name: 'beside a provided field', query: '{ review(id: "r2") { product { name weight } size at } }' },
      { name: 'a composite key', query: '{ review(id: "r1") { product { stock brand { label } } } }' },
      { name: 'an overridden field', query: '{ topProducts { old } review(id: "r1") { product { old } } }' },
      { name: 'a split value type below a shareable root', query: '{ stats { products shared reviews } }' },
      {
        name: 'unions that differ between subgraphs',
        query:
          '{ thing { __typename ... on Product { sku } } anything { ... on Review { body product { sku } } ... on Brand { label } } }',
      },
      {
        name: 'an interface',
        query: '{ node(id: "p2") { id ... on Product { reviews(first: 1) { size } } } }',
      },
      {
        name: 'mutations in two subgraphs',
        query:
          'mutation { rename(id: "p1", name: "Desk") { name shipping } addReview(id: "p1", body: "x") { body } }',
      },
    ],
  }
}

const media: World = {
  fixtures: ['interface-objects', 'interface-objects-join-0.3'],
  monolith: `
    type Query { media: [Media] film: Film best: [Media!]! }
    interface Media { id: ID! title: String length: Int size: Size stars: Int perMinute: Float reviews: [Review] price: Int }
    type Size { w: Int }
    type Film implements Media { id: ID! title: String length: Int size: Size director: String stars: Int perMinute: Float reviews: [Review] price: Int }
    type Song implements Media { id: ID! title: String length: Int size: Size stars: Int perMinute: Float reviews: [Review] price: Int }
    type Review { text: String on: Media }`,
  tables: () => ({
    Film: rows('Film', {
      id: 'f1',
      title: 'Fog',
      length: 90,
      size: { __typename: 'Size', w: 9 },
      director: 'Ada',
      stars: 5,
    }),
    Song: rows('Song', {
      id: 's1',
      title: 'Hum',
      length: 3,
      size: { __typename: 'Size', w: 2 },
      stars: null,
    }),
  }),
  fields: {
    'Query.media': (_row, _args, tables) => [...(tables['Song'] ?? []), ...(tables['Film'] ?? [])],
    'Query.film': first('Film'),
    'Query.best': (_row, _args, tables) => [...(tables['Film'] ?? []), ...(tables['Song'] ?? [])],
    'Media.reviews': (row) => [{ __typename: 'Review', text: `on ${String(row['id'])}`, on: row }],
  },
  computed: {
    'Media.price': { compute: ({ stars }) => Number(stars ?? 1) * 10 },
    'Media.perMinute': {
      compute: ({ length, size }) => Number((size as Record<string, unknown>)['w']) / Number(length),
    },
  },
  operations: [
    { name: 'fields of an interface object', query: '{ media { stars reviews { text } } }' },
    {
      name: 'types behind an interface object',
      query: '{ best { __typename id ... on Film { director } } }',
    },
    { name: 'requirements of an interface object', query: '{ media { perMinute } best { perMinute } }' },
    {
      name: 'a requirement that another interface object answers',
      query: '{ media { price } film { price } }',
    },
    {
      name: 'from an object to an interface object and back',
      query: '{ film { reviews { on { title } } } }',
    },
    { name: 'what an interface object requires, itself', query: '{ best { length size { w } perMinute } }' },
  ],
}

const interfaces: World = {
  fixtures: ['interface-over-object'],
  monolith: `
    type Query { i: I j: [I] } interface I { id: ID! } type A implements I { id: ID! } type B implements I { id: ID! }`,
  tables: () => ({ A: rows('A', { id: 'a1' }), B: rows('B', { id: 'b1' }) }),
  fields: { 'Query.i': first('A'), 'Query.j': all('B') },
  operations: [
    { name: 'the interface', query: '{ i { id __typename } j { id } }' },
    {
      name: 'its types',
      query: '{ i { ... on A { id } ... on B { id } } j { ... on B { id } ... on A { x: id } } }',
    },
  ],
}

const fragments: World = {
  fixtures: ['requires-with-fragments'],
  monolith: `
    type Query { t: T } type T { id: ID! n: N sum: Int }
    interface N { id: ID! } type X implements N { id: ID! x: Int } type Y implements N { id: ID! y: Int }`,
  tables: () => ({ T: rows('T', { id: '1', n: { __typename: 'Y', id: '4', y: 6 } }) }),
  fields: { 'Query.t': first('T') },
  computed: {
    'T.sum': {
      compute: ({ n }) => {
        const { id, y } = n as Record<string, unknown>
        return Number(id) + Number(y)
      },
    },
  },
  operations: [
    { name: 'a requirement with fragments', query: '{ t { sum } }' },
    { name: 'beside what it requires', query: '{ t { sum n { ... on Y { y } id } } }' },
  ],
}

const WORLDS: readonly World[] = [
  shopOfFederation1,
  shop(['shop-join-0.2'], ''),
  shop(
    ['shop-join-0.2-arguments', 'shop-join-0.3', 'shop-join-0.4', 'shop-join-0.5'],
    '(currency: String = "EUR")',
  ),
  media,
  interfaces,
  fragments,
]

/** One suite per fixture; its supergraph is that of the fixture. */
export const SUPERGRAPH_SUITES: readonly (Suite & { readonly supergraphSdl: string })[] = WORLDS.flatMap(
  ({ fixtures, ...world }) =>
    fixtures.map((name) => {
      const { supergraphSdl, subgraphs } = readFixture(name)
      return {
        ...world,
        name,
        supergraphSdl,
        subgraphs: Object.fromEntries(subgraphs.map((subgraph) => [subgraph.name, { sdl: subgraph.sdl }])),
      }
    }),
)

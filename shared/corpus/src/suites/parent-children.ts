import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * A child that is a value in one subgraph and an entity in another, below a parent that four subgraphs know
 * in parts.
 */
export const parentChildren: Suite = {
  name: 'a child in pieces below an entity',
  monolith: `
    type Query { product: Product products(ids: [ID!]!): [Product] shelf: Shelf }
    type Product { id: ID! pid: ID! name: String category: Category brand: Brand! }
    type Category { id: ID! details: String name: String path: [Step!] size: Int }
    type Step { label: String depth: Int! }
    type Brand { label: String home: Home }
    type Home { city: String zip: String }
    type Shelf { id: ID! products: [[Product!]] }
  `,
  tables: () => {
    const category = {
      __typename: 'Category',
      id: 'c1',
      details: 'all lamps',
      name: 'lamps',
      size: 4,
      path: [
        { __typename: 'Step', label: 'root', depth: 1 },
        { __typename: 'Step', label: null, depth: 2 },
      ],
    }
    const dark = {
      __typename: 'Category',
      id: 'c2',
      details: null,
      name: new Error('no name'),
      size: new Error('no size'),
      path: [{ __typename: 'Step', label: 'x', depth: new Error('no depth') }],
    }
    return {
      Category: [category, dark],
      Product: [
        {
          __typename: 'Product',
          id: '1',
          pid: 'p1',
          name: 'lamp',
          category,
          brand: {
            __typename: 'Brand',
            label: 'Lux',
            home: { __typename: 'Home', city: 'Bergen', zip: '5003' },
          },
        },
        {
          __typename: 'Product',
          id: '2',
          pid: 'p2',
          name: null,
          category: dark,
          brand: { __typename: 'Brand', label: null, home: null },
        },
        {
          __typename: 'Product',
          id: '3',
          pid: 'p3',
          name: 'none',
          category: null,
          brand: {
            __typename: 'Brand',
            label: 'N',
            home: { __typename: 'Home', city: null, zip: new Error('no zip') },
          },
        },
      ],
      Shelf: [{ __typename: 'Shelf', id: 's', products: [['3', '1'], [], ['2']] }],
    }
  },
  fields: {
    'Query.product': (_row, _args, tables) => tables['Product']?.[0],
    'Query.products': (_row, { ids }, tables) =>
      (ids as unknown[]).map((id) => find(tables['Product'], 'id', id)),
    'Query.shelf': (_row, _args, tables) => tables['Shelf']?.[0],
    'Shelf.products': (row, _args, tables) =>
      (row['products'] as unknown[][]).map((ids) => ids.map((id) => find(tables['Product'], 'id', id))),
  },
  subgraphs: {
    details: {
      sdl: `${FED2}
        type Product @key(fields: "id pid") { id: ID! pid: ID! category: Category @shareable brand: Brand! @shareable }
        type Category { details: String path: [Step!] @shareable }
        type Step @shareable { depth: Int! }
        type Brand @shareable { home: Home }
        type Home @shareable { zip: String }`,
    },
    ids: {
      sdl: `${FED2}
        type Product @key(fields: "id") @key(fields: "id pid") { id: ID! pid: ID! category: Category @shareable brand: Brand! @shareable }
        type Category @key(fields: "id", resolvable: false) { id: ID! path: [Step!] @shareable }
        type Step @shareable { label: String }
        type Brand @shareable { label: String home: Home }
        type Home @shareable { city: String }`,
    },
    categories: { sdl: `${FED2} type Category @key(fields: "id") { id: ID! name: String size: Int }` },
    front: {
      sdl: `${FED2}
        type Query { product: Product products(ids: [ID!]!): [Product] shelf: Shelf }
        type Product @key(fields: "id") { id: ID! name: String }
        type Shelf { id: ID! products: [[Product!]] }`,
    },
  },
  operations: [
    { name: 'one piece', query: '{ product { name category { details } } }' },
    { name: 'the value piece and the entity piece', query: '{ product { category { details name size } } }' },
    {
      name: 'pieces of a value that nobody has whole',
      query: '{ product { brand { label home { city zip } } } }',
    },
    { name: 'lists in pieces', query: '{ product { category { path { label depth } id } } }' },
    {
      name: 'lists of lists of parents',
      query: '{ shelf { products { id category { details id } brand { home { city } } } } }',
    },
    {
      name: 'aliases',
      query:
        '{ product { a: category { id: details details: id } b: category { n: name } id: pid pid: id } }',
    },
    {
      name: 'fragments',
      query:
        '{ product { ...P ... on Product { category { name } } } } fragment P on Product { category { ...C } } fragment C on Category { details ... { id } }',
    },
    {
      name: 'conditions on one of the pieces',
      query:
        'query ($d: Boolean!) { product { category { id details @include(if: $d) name @skip(if: $d) } brand @include(if: $d) { label } } }',
      variables: { d: false },
    },
    {
      name: 'an error in the entity piece',
      query: '{ products(ids: ["2", "9", "1"]) { category { details name } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error in a list of the value piece',
      query: '{ products(ids: ["2"]) { id category { id path { label depth } } } }',
      errors: 'exact',
    },
    {
      name: 'an error in a value of a value',
      query: '{ shelf { products { brand { label home { city zip } } } } }',
      errors: 'exact',
    },
    {
      name: 'type names of all pieces',
      query:
        '{ product { __typename category { __typename path { __typename } } brand { __typename home { __typename } } } }',
    },
  ],
}

/** Mistakes that people make in subgraphs, each as small as it can be shown. */

/** A mistake in the schemas of subgraphs. */
export type Mistake = {
  readonly title: string
  /** SDL by the names of subgraphs. A schema of Federation 2 begins with the link below. */
  readonly subgraphs: Readonly<Record<string, string>>
}

/** The link of all examples that have none of their own. */
export const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@inaccessible", "@interfaceObject", "@authenticated", "@composeDirective"])'

const SHOP = 'type Query { products: [Product] }\ntype Product @key(fields: "id") { id: ID! }'

export const MISTAKES: readonly Mistake[] = [
  {
    title: 'A shared field has another type elsewhere',
    subgraphs: {
      catalogue: 'type Query { top: Product }\ntype Product @shareable { price: Int }',
      deals: 'type Query { deal: Product }\ntype Product @shareable { price: String }',
    },
  },
  {
    title: 'Two subgraphs resolve a field, and one of them does not share it',
    subgraphs: {
      catalogue: `${SHOP}\nextend type Product { name: String @shareable }`,
      reviews: 'type Product @key(fields: "id") { id: ID! name: String }',
    },
  },
  {
    title: 'A key is forgotten',
    subgraphs: { catalogue: SHOP, stock: 'type Product { id: ID! count: Int }' },
  },
  {
    title: 'A key names a field that does not exist',
    subgraphs: { catalogue: 'type Query { product: Product }\ntype Product @key(fields: "sku") { id: ID! }' },
  },
  {
    title: 'A field of a key is @external',
    subgraphs: {
      catalogue: `${SHOP}\nextend type Product { name: String price: Int }`,
      stock:
        'type Query { inStock: [Product] }\ntype Product @key(fields: "id") { id: ID! @external count: Int }',
    },
  },
  {
    title: 'A field cannot be reached, three hops away',
    subgraphs: {
      catalogue: `${SHOP}\nextend type Product { name: String }`,
      reviews:
        'type Product @key(fields: "id") { id: ID! reviews: [Review] }\ntype Review { author: User }\ntype User @key(fields: "id") { id: ID! }',
      users: 'type User @key(fields: "email") { email: String @inaccessible name: String }',
    },
  },
  {
    title: 'An enum that goes both ways has a value that another subgraph lacks',
    subgraphs: {
      catalogue: 'type Query { sort(by: Order): Order }\nenum Order { NAME PRICE }',
      search: 'type Query { search(by: Order): Int }\nenum Order { NAME }',
    },
  },
  {
    title: 'A field is overridden from a subgraph that overrides it',
    subgraphs: {
      a: 'type Query { x: Int @override(from: "b") }',
      b: 'type Query { x: Int @override(from: "a") }',
    },
  },
  {
    title: 'A field is overridden from its own subgraph',
    subgraphs: { catalogue: 'type Query { x: Int @override(from: "catalogue") }' },
  },
  {
    title: 'A requirement is not @external',
    subgraphs: {
      catalogue: `${SHOP}\nextend type Product { weight: Int }`,
      post: 'type Product @key(fields: "id") { id: ID! weight: Int @shareable postage: Int @requires(fields: "weight") }',
    },
  },
  {
    title: 'A requirement does not exist',
    subgraphs: {
      catalogue: SHOP,
      post: 'type Product @key(fields: "id") { id: ID! postage: Int @requires(fields: "weight") }',
    },
  },
  {
    title: 'Fields require each other',
    subgraphs: {
      a: 'type Query { t: T }\ntype T @key(fields: "id") { id: ID! y: Int @external x: Int @requires(fields: "y") }',
      b: 'type T @key(fields: "id") { id: ID! x: Int @external y: Int @requires(fields: "x") }',
    },
  },
  {
    title: 'A provision of what the subgraph resolves anyway',
    subgraphs: {
      catalogue:
        'type Query { product: Product @provides(fields: "name") }\ntype Product @key(fields: "id") { id: ID! name: String }',
    },
  },
  {
    title: 'An external field that nothing uses',
    subgraphs: {
      catalogue: `${SHOP}\nextend type Product { name: String }`,
      stock: 'type Product @key(fields: "id") { id: ID! name: String @external count: Int }',
    },
  },
  {
    title: 'A field is external wherever it is',
    subgraphs: {
      a: 'type Query { t: T }\ntype T @key(fields: "id") { id: ID! x: Int @external y: Int @requires(fields: "x") }',
    },
  },
  {
    title: 'An external field has another type than the field',
    subgraphs: {
      catalogue: `${SHOP}\nextend type Product { weight: Float }`,
      post: 'type Product @key(fields: "id") { id: ID! weight: Int @external postage: Int @requires(fields: "weight") }',
    },
  },
  {
    title: 'A required argument is missing elsewhere',
    subgraphs: {
      a: 'type Query { list(limit: Int!): Int @shareable }',
      b: 'type Query { list: Int @shareable }',
    },
  },
  {
    title: 'An argument has two defaults',
    subgraphs: {
      a: 'type Query { list(limit: Int = 10): Int @shareable }',
      b: 'type Query { list(limit: Int = 20): Int @shareable }',
    },
  },
  {
    title: 'A required input field is missing elsewhere',
    subgraphs: {
      a: 'type Query { a(filter: Filter): Int }\ninput Filter { text: String shop: ID! }',
      b: 'type Query { b(filter: Filter): Int }\ninput Filter { text: String }',
    },
  },
  {
    title: 'A type is an enum here and a scalar there',
    subgraphs: {
      a: 'type Query { a: Currency }\nenum Currency { EUR USD }',
      b: 'type Query { b: Currency }\nscalar Currency',
    },
  },
  {
    title: 'A type is extended, and nobody defines it',
    subgraphs: { a: 'type Query { user: User }\nextend type User { name: String }' },
  },
  {
    title: 'A type lacks a field that another subgraph gives its interface',
    subgraphs: {
      a: 'type Query { media: Media }\ninterface Media { id: ID! title: String }\ntype Film implements Media { id: ID! title: String }',
      b: 'type Query { other: Media }\ninterface Media { id: ID! }\ntype Song implements Media { id: ID! }',
    },
  },
  {
    title: 'An interface object of an interface that no subgraph has',
    subgraphs: {
      a: 'type Query { media: Media }\ntype Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }',
    },
  },
  {
    title: 'A visible field has a hidden type',
    subgraphs: { a: 'type Query { x: Int user: User }\ntype User @inaccessible { name: String }' },
  },
  {
    title: 'A directive is not imported',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])\ntype Query { x: Int @shareable }',
    },
  },
  {
    title: 'A directive is newer than the version that is linked',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@interfaceObject"])\ntype Query { x: Int }',
    },
  },
  {
    title: 'A type is misspelled',
    subgraphs: { a: 'type Query { product: Prodct }\ntype Product { name: String }' },
  },
  {
    title: 'A key selects a field with arguments',
    subgraphs: {
      a: 'type Query { p: Product }\ntype Product @key(fields: "code") { code(kind: String): ID! }',
    },
  },
  {
    title: 'A field requires one that not everybody may see',
    subgraphs: {
      a: 'type Query { t: T }\ntype T @key(fields: "id") { id: ID! salary: Int @external bonus: Int @requires(fields: "salary") }',
      b: 'type T @key(fields: "id") { id: ID! salary: Int @authenticated }',
    },
  },
  {
    title: 'A composed directive is not linked',
    subgraphs: {
      a: 'extend schema @composeDirective(name: "@mine")\ndirective @mine on FIELD_DEFINITION\ntype Query { x: Int @mine }',
    },
  },
  {
    title: 'Two subgraphs have one subscription',
    subgraphs: {
      a: 'type Query { a: Int }\ntype Subscription { changed: Int @shareable }',
      b: 'type Query { b: Int }\ntype Subscription { changed: Int @shareable }',
    },
  },
]

import { type CompositionSet, fed } from './composition-set.ts'

const F = fed(
  '2.3',
  '@key @shareable @external @requires @provides @override @inaccessible @interfaceObject @tag',
)

export const interfaces: readonly CompositionSet[] = [
  {
    name: 'an interface with a key is extended through an interface object',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! title: String } type Film implements Media @key(fields: "id") { id: ID! title: String } type Book implements Media @key(fields: "id") { id: ID! title: String pages: Int }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
    },
    facts: [
      'Media @a key(id)',
      'Media @b key(id)',
      'Media @b interfaceObject',
      'Media.stars @b',
      'Film.stars bare',
      'Book.stars bare',
      'Film.stars: Int',
    ],
  },
  {
    name: 'a field that objects declare as external is hidden and tagged where an interface object resolves it',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! stars: Int @external rank: Int @requires(fields: "stars") } type Book implements Media @key(fields: "id") { id: ID! stars: Int @shareable }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int @shareable @inaccessible @tag(name: "internal") }`,
    },
    facts: [
      'Film.stars @a external',
      'Film.stars @inaccessible',
      'Film.stars @tag(name: "internal")',
      'Media.stars @inaccessible',
      '!Book.stars @inaccessible',
    ],
  },
  {
    name: 'a hidden field of an interface object has another type than the field of a type: refused',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! stars: Int @shareable }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: String @shareable @inaccessible }`,
    },
    refused: ['INVALID_GRAPHQL'],
  },
  {
    name: 'a type lacks a hidden field of its interface: refused',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media { id: ID! stars: Int @inaccessible } type Film implements Media @key(fields: "id") { id: ID! stars: Int }`,
      b: `${F} interface Media { id: ID! } type Book implements Media @key(fields: "id") { id: ID! }`,
    },
    refused: ['INTERFACE_FIELD_NO_IMPLEM'],
  },
  {
    name: 'a type lacks a field of an interface that is hidden: refused',
    subgraphs: {
      a: `${F} type Query { film: Film } interface Media @inaccessible { id: ID! stars: Int } type Film implements Media @key(fields: "id") { id: ID! stars: Int }`,
      b: `${F} interface Media @inaccessible { id: ID! } type Book implements Media @key(fields: "id") { id: ID! }`,
    },
    refused: ['INTERFACE_FIELD_NO_IMPLEM'],
  },
  {
    name: 'an interface object requires fields of its interface',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! length: Int size: Size } type Size { w: Int } type Film implements Media @key(fields: "id") { id: ID! length: Int size: Size }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! length: Int @external size: Size @external price: Int @requires(fields: "length size { w }") } type Size { w: Int @external }`,
    },
    facts: [
      'Media.length @b external',
      'Media.size @b external',
      'Media.length @a',
      'Media.price @b requires(length size { w })',
      'Film.price bare',
      'Film.length @a',
      'Size.w @b external',
    ],
  },
  {
    name: 'an interface object provides fields of what it returns',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type U @key(fields: "id") { id: ID! n: Int @shareable } type Film implements Media @key(fields: "id") { id: ID! author: U }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! critic: U @provides(fields: "n") } type U @key(fields: "id") { id: ID! n: Int @external }`,
    },
    facts: ['Media.critic @b provides(n)', 'U.n @b external'],
  },
  {
    name: 'two interface objects add to one interface, one requires from the other',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
      c: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int @external rank: Int @requires(fields: "stars") }`,
    },
    facts: [
      'Media.stars @b',
      'Media.stars @c external',
      'Media.rank @c requires(stars)',
      'Film.rank bare',
      'Film.stars bare',
    ],
  },
  {
    name: 'an interface object has several keys, some unresolvable',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") @key(fields: "isbn") { id: ID! isbn: ID! } type Film implements Media @key(fields: "id") @key(fields: "isbn") { id: ID! isbn: ID! }`,
      b: `${F} type Query { top: Media } type Media @interfaceObject @key(fields: "id", resolvable: false) @key(fields: "isbn") { id: ID! isbn: ID! stars: Int }`,
    },
    facts: ['Media @b key(id) unresolvable', 'Media @b key(isbn)', 'Media @b interfaceObject'],
  },
  {
    name: 'an implementing type lives in a subgraph that does not know the interface key',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
      c: `${F} type Query { film: Film } type Film @key(fields: "id") { id: ID! year: Int }`,
    },
    facts: ['Film.year @c', 'Film.stars bare', '!Film @c implements Media'],
  },
  {
    name: 'a root field of the interface object subgraph leads to the interface',
    subgraphs: {
      a: `${F} type Query { film: Film } interface Media @key(fields: "id") { id: ID! title: String } type Film implements Media @key(fields: "id") { id: ID! title: String } type Song implements Media @key(fields: "id") { id: ID! title: String }`,
      b: `${F} type Query { top: [Media!]! } type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int reviews: [Review] } type Review { text: String on: Media }`,
    },
    facts: ['Query.top: [Media!]!', 'Review.on: Media', 'Film.reviews bare'],
  },
  {
    name: 'an interface object overrides a field of an interface object',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
      c: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int @override(from: "b") }`,
    },
    facts: ['Media.stars @c override(b)'],
  },
  {
    name: 'an implementation defines a field the interface object adds: both shareable',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! stars: Int @shareable } type Song implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int @shareable }`,
    },
    facts: ['Media.stars @b', 'Song.stars bare', 'Film.stars @a'],
  },
  {
    name: 'an interface object field hidden and tagged',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars(max: Int = 5): Int @tag(name: "x") secret: Int @inaccessible }`,
    },
    facts: [
      'Media.secret @inaccessible',
      'Media.stars @tag(name: "x")',
      'Film.secret bare',
      'Film.stars(max: Int = 5)',
    ],
  },
  {
    name: 'a hidden interface is extended through an interface object',
    subgraphs: {
      a: `${F} type Query { film: Film } interface Media @key(fields: "id") @inaccessible { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }`,
    },
    facts: ['Media @inaccessible', 'Film.stars bare', 'Film.stars: Int'],
  },
  {
    name: 'an interface object without the interface anywhere is refused',
    subgraphs: {
      a: `${F} type Query { media: Media } type Media @interfaceObject @key(fields: "id") { id: ID! }`,
    },
    refused: ['INTERFACE_OBJECT_USAGE_ERROR'],
  },
  {
    name: 'an interface object without a key is refused',
    subgraphs: {
      a: `${F} type Query { media: Media } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject { id: ID! stars: Int }`,
    },
    refused: ['INTERFACE_OBJECT_USAGE_ERROR'],
  },
  {
    name: 'a subgraph may have the interface object and an implementation',
    subgraphs: {
      a: `${F} type Query { media: Media } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int } type Film @key(fields: "id") { id: ID! }`,
    },
    facts: ['Media @b interfaceObject', 'Film @b key(id)'],
  },
  {
    name: 'an implementation lacks the key of its interface: refused',
    subgraphs: {
      a: `${F} type Query { media: Media } interface Media @key(fields: "id") { id: ID! } type Film implements Media { id: ID! }`,
    },
    refused: ['INTERFACE_KEY_NOT_ON_IMPLEMENTATION'],
  },
  {
    name: 'interfaces have different fields and implementations per subgraph',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { id: ID! x: Int } type X implements I @key(fields: "id") { id: ID! x: Int }`,
      b: `${F} type Query { b: I } interface I { id: ID! x: Int } type X implements I @key(fields: "id") { id: ID! x: Int @external } type Y implements I @key(fields: "id") { id: ID! x: Int }`,
    },
    facts: [
      'X @a implements I',
      'X @b implements I',
      'Y @b implements I',
      '!Y @a implements I',
      'X.x @b external',
    ],
  },
  {
    name: 'an interface has a field only in one subgraph and all implementations have it',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { id: ID! x: Int } type X implements I @key(fields: "id") { id: ID! x: Int }`,
      b: `${F} type Query { b: I } interface I { id: ID! } type X implements I @key(fields: "id") { id: ID! }`,
    },
    facts: ['I.x @a', '!I.x @b', 'I.id @a', 'I.id @b'],
  },
  {
    name: 'an interface field that one implementation lacks everywhere is refused',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { id: ID! x: Int } type X implements I @key(fields: "id") { id: ID! x: Int }`,
      b: `${F} type Query { b: I } interface I { id: ID! } type Y implements I @key(fields: "id") { id: ID! }`,
    },
    refused: ['INTERFACE_FIELD_NO_IMPLEM'],
  },
  {
    name: 'interfaces implement interfaces, in part of the subgraphs',
    subgraphs: {
      a: `${F} type Query { a: J } interface I { id: ID! } interface J implements I { id: ID! j: Int } type X implements I & J @key(fields: "id") { id: ID! j: Int }`,
      b: `${F} type Query { b: I } interface I { id: ID! } type X implements I @key(fields: "id") { id: ID! b: Int }`,
    },
    facts: ['J implements I', 'J @a implements I', 'X @a implements J', '!X @b implements J'],
  },
  {
    name: 'an interface has a key without interface objects',
    subgraphs: {
      a: `${F} type Query { n: N } interface N @key(fields: "id") { id: ID! a: Int } type X implements N @key(fields: "id") { id: ID! a: Int }`,
      b: `${F} interface N @key(fields: "id") { id: ID! b: Int } type X implements N @key(fields: "id") { id: ID! b: Int }`,
    },
    facts: ['N @a key(id)', 'N @b key(id)', 'N.a @a', 'N.b @b'],
  },
  {
    name: 'nullability of interface fields differs between subgraphs',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { x: Int } type X implements I @shareable { x: Int! }`,
      b: `${F} type Query { b: I } interface I { x: Int! } type X implements I @shareable { x: Int! }`,
    },
    facts: ['I.x: Int', 'I.x @b type(Int!)', 'X.x: Int!'],
  },
  {
    name: 'implementations return narrower types than their interface',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { n: I l: [I] } type X implements I @shareable { n: X! l: [X!]! }`,
      b: `${F} type Query { b: I } interface I { n: I l: [I] } type X implements I @shareable { n: I l: [I] }`,
    },
    facts: ['X.n: I', 'X.n @a type(X!)', 'X.l: [I]', 'X.l @a type([X!]!)'],
  },
  {
    name: 'an interface object provides and shares external fields',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! title: String } type Film implements Media @key(fields: "id") { id: ID! title: String @shareable }`,
      b: `${F} type Query { best: Media @provides(fields: "title") } type Media @interfaceObject @key(fields: "id") { id: ID! title: String @external stars: Int }`,
    },
    facts: ['Query.best @b provides(title)', 'Media.title @b external'],
  },
  {
    name: 'two interface objects share a field',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int @shareable }`,
      c: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int! @shareable }`,
    },
    facts: ['Media.stars: Int', 'Media.stars @b', 'Media.stars @c type(Int!)', 'Film.stars bare'],
  },
  {
    name: 'a subgraph with the interface key knows not all implementations: refused',
    subgraphs: {
      a: `${F} type Query { media: Media } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} interface Media { id: ID! } type Song implements Media @key(fields: "id") { id: ID! } type Query { song: Song }`,
    },
    refused: ['INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE'],
  },
  {
    name: 'an interface object has its key on an extension, under another name',
    subgraphs: {
      a: `${F} type Query { m: [M] } interface M @key(fields: "id") { id: ID! } type A implements M @key(fields: "id") { id: ID! }`,
      b: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [{ name: "@key", as: "@k" }, "@interfaceObject"]) type M @interfaceObject { id: ID! x: Int } extend type M @k(fields: "id")`,
      c: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3") type M @federation__interfaceObject @federation__key(fields: "id") { id: ID! y: Int }`,
    },
    facts: ['M @b interfaceObject', 'M @b key(id)', 'M @c interfaceObject', 'M.y @c', 'A.x bare'],
  },
  {
    name: 'a requirement passes an interface object that is defined further down',
    subgraphs: {
      a: `${F} type Query { p: Product } interface Media @key(fields: "id") { id: ID! } type Album implements Media @key(fields: "id") { id: ID! } type Product @key(fields: "id") { id: ID! media: [Media!]! }`,
      b: `${F} type Product @key(fields: "id") { id: ID! media: [Media!]! @external sum: Int @requires(fields: "media { id }") } type Media @interfaceObject @key(fields: "id") { id: ID! }`,
    },
    facts: ['Product.sum @b requires(media { id })', 'Media @b interfaceObject'],
  },
  {
    name: 'an argument of an interface object field is hidden, on the interface and on its types',
    subgraphs: {
      a: `${F} type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Media @interfaceObject @key(fields: "id") { id: ID! stars(first: Int, secret: Int = 4 @inaccessible): Int }`,
    },
    facts: [
      'Media.stars(secret:) @inaccessible',
      'Film.stars(secret:) @inaccessible',
      '!Film.stars(first:) @inaccessible',
    ],
  },
]

import { type CompositionSet, fed } from './composition-set.ts'

const F = fed('2.3', '@key @shareable @external @requires @provides @inaccessible @interfaceObject')

export const requires: readonly CompositionSet[] = [
  {
    name: 'a requirement takes arguments',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! price(currency: String!): Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! price(currency: String!): Int @external tax: Int @requires(fields: "price(currency: \\"EUR\\")") }`,
    },
    facts: ['T.tax @b requires(price(currency: "EUR"))', 'T.price @b external'],
  },
  {
    name: 'two requirements take the same field with different arguments',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n(x: Int): Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n(x: Int): Int @external one: Int @requires(fields: "n(x: 1)") two: Int @requires(fields: "n(x: 2)") }`,
    },
    facts: ['T.one @b requires(n(x: 1))', 'T.two @b requires(n(x: 2))'],
  },
  {
    name: 'a requirement reaches into nested objects',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! box: Box } type Box { w: Int h: Int inner: Inner } type Inner { d: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! box: Box @external volume: Int @requires(fields: "box { w inner { d } }") }
        type Box { w: Int @external inner: Inner @external } type Inner { d: Int @external }`,
    },
    facts: ['T.volume @b requires(box { inner { d } w })', 'Box.w @b external', 'Inner.d @b external'],
  },
  {
    name: 'a requirement goes through an interface with fragments',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: N } interface N { id: ID! } type X implements N { id: ID! x: Int } type Y implements N { id: ID! y: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: N @external sum: Int @requires(fields: "n { id ... on X { x } ... on Y { y } }") }
        interface N { id: ID! } type X implements N { id: ID! @external x: Int @external } type Y implements N { id: ID! @external y: Int @external }`,
    },
    facts: ['T.sum @b requires(n { ... on X { x } ... on Y { y } id })', 'X.x @b external'],
  },
  {
    name: 'a requirement goes through a union with fragments',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! u: U } union U = X | Y type X { x: Int } type Y { y: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! u: U @external sum: Int @requires(fields: "u { ... on X { x } ... on Y { y } }") }
        union U = X | Y type X { x: Int @external } type Y { y: Int @external }`,
    },
    facts: ['T.sum @b requires(u { ... on X { x } ... on Y { y } })', 'X.x @b external'],
  },
  {
    name: 'fragments on objects stand in a fragment on their interface',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: N } interface N { n: Int } interface M implements N { n: Int m: Int }
        type X implements N & M { n: Int m: Int x: Int } type Y implements N & M { n: Int m: Int y: Int } type Z implements N { n: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: N @external sum: Int @requires(fields: "n { ... on M { m ... on X { x } ... on Y { y } } }") only: Int @requires(fields: "n { ... on M { ... on X { x } } }") }
        interface N { n: Int } interface M implements N { n: Int m: Int } type X implements N & M @external { n: Int m: Int x: Int } type Y implements N & M @external { n: Int m: Int y: Int }`,
    },
    facts: [
      'T.sum @b requires(n { ... on M { ... on X { x } ... on Y { y } m } })',
      'T.only @b requires(n { ... on M { ... on X { x } } })',
    ],
  },
  {
    name: 'requirements chain through subgraphs',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! a: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! a: Int @external b: Int @requires(fields: "a") }`,
      c: `${F} type T @key(fields: "id") { id: ID! b: Int @external c: Int @requires(fields: "b") }`,
    },
    facts: ['T.c @c requires(b)', 'T.b @c external'],
  },
  {
    name: 'requirements go back and forth between two subgraphs',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! a: Int b: Int @external c: Int @requires(fields: "b") }`,
      b: `${F} type T @key(fields: "id") { id: ID! a: Int @external c: Int @external b: Int @requires(fields: "a") d: Int @requires(fields: "c") }`,
    },
    facts: ['T.c @a requires(b)', 'T.d @b requires(c)'],
  },
  {
    name: 'a requirement reaches entities that live elsewhere',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! owner: U } type U @key(fields: "id") { id: ID! }`,
      b: `${F} type U @key(fields: "id") { id: ID! name: String }`,
      c: `${F} type T @key(fields: "id") { id: ID! owner: U @external greeting: String @requires(fields: "owner { name }") } type U @key(fields: "id") { id: ID! name: String @external }`,
    },
    facts: ['T.greeting @c requires(owner { name })', 'U.name @c external'],
  },
  {
    name: 'a requirement uses hidden fields and types',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! secret: S @inaccessible } type S @inaccessible { n: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! secret: S @external x: Int @requires(fields: "secret { n }") } type S { n: Int @external }`,
    },
    facts: ['T.x @b requires(secret { n })', 'S @inaccessible'],
  },
  {
    name: 'a requirement goes through an interface whose hidden implementation other subgraphs lack',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: N } interface N { id: ID! } type X implements N @key(fields: "id") { id: ID! } type Hidden implements N @key(fields: "id") @inaccessible { id: ID! }`,
      b: `${F} type X @key(fields: "id") { id: ID! name: String } `,
      c: `${F} type T @key(fields: "id") { id: ID! n: N @external label: String @requires(fields: "n { id ... on X { name } }") }
        interface N { id: ID! } type X implements N @key(fields: "id") { id: ID! name: String @external }`,
    },
    facts: ['T.label @c requires(n { ... on X { name } id })', 'Hidden @inaccessible'],
  },
  {
    name: 'a field of an interface with a hidden implementation is required',
    subgraphs: {
      a: `${F} type Query { node(id: ID!): Node book: Book } interface Node { id: ID! } interface Product implements Node { id: ID! dims: String }
        type Book implements Node & Product @key(fields: "id") { id: ID! dims: String hiddenIn: Toaster @inaccessible } type Toaster implements Node & Product @key(fields: "id") @inaccessible { id: ID! dims: String }`,
      b: `${F} type Book @key(fields: "id") { id: ID! similar: [Product] @external shipping: Int @requires(fields: "similar { dims }") } interface Product { id: ID! dims: String } type Toaster implements Product @key(fields: "id") @inaccessible { id: ID! dims: String @external } extend type Book implements Product { dims: String @external }`,
      c: `${F} type Book @key(fields: "id") { id: ID! similar: [Product] } interface Product { id: ID! } extend type Book implements Product type Toaster implements Product @key(fields: "id") @inaccessible { id: ID! }`,
    },
    facts: ['Book.shipping @b requires(similar { dims })', 'Toaster @inaccessible'],
  },
  {
    name: 'several fields are required, some with aliases of nothing else',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! a: Int b: Int c: V } type V @shareable { x: Int y: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! a: Int @external b: Int @external c: V @external z: Int @requires(fields: "a b c { x y }") } type V @shareable { x: Int y: Int }`,
    },
    facts: ['T.z @b requires(a b c { x y })'],
  },
  {
    name: 'external on the type makes all its fields external',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! v: V } type V { x: Int y: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! v: V @external z: Int @requires(fields: "v { x y }") } type V @external { x: Int y: Int }`,
    },
    facts: ['V.x @b external', 'V.y @b external'],
  },
  {
    name: 'an external field promises less than the field it stands for: refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int! }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int @external m: Int @requires(fields: "n") }`,
    },
    refused: ['EXTERNAL_TYPE_MISMATCH'],
  },
  {
    name: 'an external field promises more than the field it stands for',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: [Int] }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: [Int!]! @external m: Int @requires(fields: "n") }`,
      c: 'extend type T @key(fields: "id") { id: ID! @external n: [Int]! @external o: Int @requires(fields: "n") }',
    },
    facts: ['T.n: [Int]', 'T.n @b external type([Int!]!)', 'T.n @c external type([Int]!)'],
  },
  {
    name: 'an external field promises more than is published, as the subgraph does that resolves it',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int! @shareable }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int! @external m: Int @requires(fields: "n") }`,
      c: `${F} type T @key(fields: "id") { id: ID! n: Int @shareable }`,
    },
    facts: ['T.n: Int', 'T.n @b external type(Int!)', 'T.n @a type(Int!)', 'T.n @c'],
  },
  {
    name: 'requiring what the subgraph resolves itself is refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int m: Int @requires(fields: "n") }`,
    },
    refused: ['REQUIRES_FIELDS_MISSING_EXTERNAL'],
  },
  {
    name: 'requiring an unknown field is refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! m: Int @requires(fields: "nope") }`,
    },
    refused: ['REQUIRES_INVALID_FIELDS'],
  },
  {
    name: 'an external field nobody resolves is refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int @external m: Int @requires(fields: "n") }`,
    },
    refused: ['EXTERNAL_MISSING_ON_BASE'],
  },
  {
    name: 'an external field that nothing uses is refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int @external m: Int }`,
    },
    refused: ['EXTERNAL_UNUSED'],
  },
  {
    name: 'Federation 1 may leave external fields unused',
    subgraphs: {
      a: 'type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }',
      b: 'extend type T @key(fields: "id") { id: ID! @external n: Int @external m: Int }',
    },
    facts: ['T.m @b'],
  },
  {
    name: 'an external field lacks an argument of the field it stands for',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n(x: Int): Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int @external m: Int @requires(fields: "n") }`,
    },
    refused: ['EXTERNAL_ARGUMENT_MISSING'],
  },
  {
    name: 'an external field implements an interface',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${F} type Query { i: I } interface I { n: Int } type T implements I @key(fields: "id") { id: ID! n: Int @external }`,
    },
    facts: ['T.n @b external', 'T @b implements I', 'T.n @a'],
  },
  {
    name: 'requirements that need each other cannot be met',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! y: Int @external x: Int @requires(fields: "y") }`,
      b: `${F} type T @key(fields: "id") { id: ID! x: Int @external y: Int @requires(fields: "x") }`,
    },
    refused: ['SATISFIABILITY_ERROR'],
  },
  ...[
    'data { foo ... on Base { base } }',
    'data { foo ... on Base { ... on Right { right } } }',
    'data { ... { foo } ... on Data { ... on Left { left } } }',
  ].map(
    (fields): CompositionSet => ({
      name: `a requirement follows fragments on interfaces: ${fields}`,
      subgraphs: {
        a: `${F} type Query { e: Entity } type Entity @key(fields: "id") { id: ID! data: Data! } interface Data { foo: String! } interface Base implements Data { foo: String! base: Int }
          type Left implements Data @shareable { foo: String! left: String! } type Right implements Data & Base @shareable { foo: String! base: Int right: String! }`,
        b: `${F} type Entity @key(fields: "id") { id: ID! data: Data! @external text: String @requires(fields: "${fields}") } interface Data { foo: String! } interface Base implements Data { foo: String! base: Int }
          type Left implements Data @shareable { foo: String! left: String! } type Right implements Data & Base @shareable { foo: String! base: Int right: String! }`,
      },
      facts: ['Entity.data @b external', 'Entity.text: String', '!Entity.text @a'],
    }),
  ),
  {
    name: 'a field of an interface is required although some of its types resolve it elsewhere and one is hidden',
    subgraphs: {
      a: `${F} type Query { n: N } interface N { id: ID! o: O } interface O { id: ID! } type A implements N @key(fields: "id") { id: ID! o: O } type Hidden implements O @key(fields: "id") @inaccessible { id: ID! } type Shown implements O @key(fields: "id") { id: ID! }`,
      b: `${F} type A @key(fields: "id") { id: ID! o: O @external s: Int @requires(fields: "o { v }") } interface O { id: ID! v: Int } type Shown implements O @key(fields: "id") { id: ID! v: Int @external } type Hidden implements O @key(fields: "id") { id: ID! v: Int @external }`,
      c: `${F} type Shown @key(fields: "id") { id: ID! v: Int } type Hidden @key(fields: "id") { id: ID! v: Int }`,
    },
    facts: ['A.s @b requires(o { v })', 'Shown.v @b external', 'Shown.v @c'],
  },
  {
    name: 'an external field of a Federation 1 extension stays external where another subgraph has it in a key',
    subgraphs: {
      a: 'extend type Product @key(fields: "ka kb") { ka: Int! @external kb: Int! @external tag: Tag! @external } type Tag { part: Part! } type Part { number: ID! } type Query { products: [Product!]! }',
      b: `${F} type Product @key(fields: "ka kb") @key(fields: "tag { part { number } } ka") { ka: Int! kb: Int! tag: Tag! } type Tag { part: Part! @shareable } type Part { number: ID! @shareable }`,
    },
    facts: ['!Product.tag @a', 'Product.tag @b', 'Product.ka @a'],
  },
  {
    name: 'a requirement goes through lists of lists of a union',
    subgraphs: {
      a: `${F} type Query { r: R } union U = R | X type X { x: Int } type R @key(fields: "id") { id: ID! any: [[U]] kb: Int n: Int }`,
      b: `${F} union U = R type R @key(fields: "id") { id: ID! any: [[U]] @external kb: Int @external n: Int @external sum: Int @requires(fields: "any { ... on R { kb n } }") }`,
    },
    facts: ['R.sum @b requires(any { ... on R { kb n } })', 'R.any @b external'],
  },
  {
    name: 'a requirement of one field is written without quotes',
    subgraphs: {
      a: `${fed('2.3', '@key @external @requires')} type Query { t: T } type T @key(fields: "id") { id: ID! x: Int @external y: Int @requires(fields: x) }`,
      b: `${fed('2.3', '@key')} type T @key(fields: "id") { id: ID! x: Int }`,
    },
    facts: ['T.y @a requires(x)', 'T.x @a external'],
  },
]

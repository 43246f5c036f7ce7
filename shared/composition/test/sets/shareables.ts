import { type CompositionSet, fed } from './composition-set.ts'

const F = fed('2.3', '@key @shareable @external @requires @provides @inaccessible')

export const shareables: readonly CompositionSet[] = [
  {
    name: 'the weaker nullability of a shared field is published',
    subgraphs: {
      a: `${F} type Query { v: V @shareable l: [Int!]! @shareable } type V @shareable { x: Int! y: [Int!]! }`,
      b: `${F} type Query { v: V! @shareable l: [Int]! @shareable } type V @shareable { x: Int y: [Int] }`,
    },
    facts: [
      'V.x: Int',
      'V.x @a type(Int!)',
      'V.x @b',
      'V.y: [Int]',
      'V.y @a type([Int!]!)',
      'Query.v: V',
      'Query.v @b type(V!)',
      'Query.l: [Int]!',
    ],
  },
  {
    name: 'the wider of two output types of a shared field is published: an interface over its object',
    subgraphs: {
      a: `${F} type Query { n: Node @shareable } interface Node { id: ID! } type T implements Node @shareable { id: ID! x: Int }`,
      b: `${F} type Query { n: T @shareable } interface Node { id: ID! } type T implements Node @shareable { id: ID! x: Int }`,
    },
    facts: ['Query.n: Node', 'Query.n @b type(T)', 'Query.n @a'],
  },
  {
    name: 'the wider of two output types of a shared field is published: a union over its member',
    subgraphs: {
      a: `${F} type Query { n: U @shareable } union U = T | S type T @shareable { id: ID! } type S { s: Int }`,
      b: `${F} type Query { n: T @shareable } type T @shareable { id: ID! }`,
    },
    facts: ['Query.n: U', 'Query.n @a', 'Query.n @b type(T)'],
  },
  {
    name: 'the union wins in lists, under non-null, and whichever subgraph comes first',
    subgraphs: {
      a: `${F} type Query { n: [T!]! @shareable m: T! @shareable } type T @shareable { id: ID! }`,
      b: `${F} type Query { n: [U] @shareable m: U @shareable } union U = T | S type T @shareable { id: ID! } type S { s: Int }`,
    },
    facts: ['Query.n: [U]', 'Query.n @a type([T!]!)', 'Query.n @b', 'Query.m: U', 'Query.m @a type(T!)'],
  },
  {
    name: 'a field of an entity is a union in one subgraph and a member in two others',
    subgraphs: {
      a: `${F} type Query { e: E } type E @key(fields: "id") { id: ID! n: T @shareable } type T @shareable { x: Int }`,
      b: `${F} type E @key(fields: "id") { id: ID! n: U @shareable } union U = T | S type T @shareable { x: Int } type S @shareable { y: Int }`,
      c: `${F} type E @key(fields: "id") { id: ID! n: S @shareable } union U = T | S type T @shareable { x: Int } type S @shareable { y: Int }`,
    },
    facts: ['E.n: U', 'E.n @a type(T)', 'E.n @b', 'E.n @c type(S)'],
  },
  {
    name: 'a union and an object that is no member do not share a field',
    subgraphs: {
      a: `${F} type Query { n: U @shareable } union U = S type S { s: Int }`,
      b: `${F} type Query { n: T @shareable } type T @shareable { id: ID! }`,
    },
    refused: ['FIELD_TYPE_MISMATCH'],
  },
  {
    name: 'a shared field has an interface here and a union member implementing it there',
    subgraphs: {
      a: `${F} type Query { i: I @shareable j: [I] @shareable } interface I { id: ID! } type A implements I @shareable { id: ID! } type B implements I @shareable { id: ID! }`,
      b: `${F} type Query { i: A! @shareable j: [B!] @shareable } interface I { id: ID! } type A implements I @shareable { id: ID! } type B implements I @shareable { id: ID! }`,
    },
    facts: ['Query.i: I', 'Query.i @b type(A!)', 'Query.j: [I]', 'Query.j @b type([B!])'],
  },
  {
    name: 'interfaces and their sub-interfaces share a field',
    subgraphs: {
      a: `${F} type Query { i: I @shareable } interface I { id: ID! } interface J implements I { id: ID! } type A implements I & J @shareable { id: ID! }`,
      b: `${F} type Query { i: J @shareable } interface I { id: ID! } interface J implements I { id: ID! } type A implements I & J @shareable { id: ID! }`,
    },
    facts: ['Query.i: I', 'Query.i @b type(J)'],
  },
  {
    name: 'different types of a shared field are refused',
    subgraphs: { a: `${F} type Query { x: Int @shareable }`, b: `${F} type Query { x: String @shareable }` },
    refused: ['FIELD_TYPE_MISMATCH'],
  },
  {
    name: 'a list and a single value of a shared field are refused',
    subgraphs: { a: `${F} type Query { x: Int @shareable }`, b: `${F} type Query { x: [Int] @shareable }` },
    refused: ['FIELD_TYPE_MISMATCH'],
  },
  {
    name: 'a field resolved twice without @shareable is refused',
    subgraphs: { a: `${F} type Query { x: Int }`, b: `${F} type Query { x: Int @shareable }` },
    refused: ['INVALID_FIELD_SHARING'],
  },
  {
    name: 'value types differ in fields when the lacking ones can be had nowhere else: refused',
    subgraphs: {
      a: `${F} type Query { a: V } type V @shareable { x: Int y: Int }`,
      b: `${F} type Query { b: V } type V @shareable { x: Int }`,
    },
    refused: ['SATISFIABILITY_ERROR'],
  },
  {
    name: 'value types differ in fields below a shareable root',
    subgraphs: {
      a: `${F} type Query { v: V @shareable } type V @shareable { x: Int y: Int }`,
      b: `${F} type Query { v: V @shareable } type V @shareable { x: Int z: Int }`,
    },
    facts: ['V.x @a', 'V.x @b', 'V.y @a', 'V.z @b', '!V.y @b'],
  },
  {
    name: 'value types differ in fields below an entity',
    subgraphs: {
      a: `${F} type Query { e: E } type E @key(fields: "id") { id: ID! v: V @shareable } type V @shareable { x: Int y: Int }`,
      b: `${F} type E @key(fields: "id") { id: ID! v: V @shareable } type V @shareable { x: Int z: Int }`,
    },
    facts: ['V.z @b', 'E.v @a', 'E.v @b'],
  },
  {
    name: 'shareable stands on the type, on its extension or on fields',
    subgraphs: {
      a: `${F} type Query { v: V @shareable } type V @shareable { x: Int } extend type V @shareable { y: Int }`,
      b: `${F} type Query { v: V @shareable } type V { x: Int @shareable y: Int @shareable }`,
    },
    facts: ['V.y @a', 'V.y @b'],
  },
  {
    name: 'from 2.2 shareable on a type covers only that block',
    subgraphs: {
      a: `${F} type Query { v: V @shareable } type V @shareable { x: Int } extend type V { y: Int }`,
      b: `${F} type Query { v: V @shareable } type V { x: Int @shareable y: Int @shareable }`,
    },
    refused: ['INVALID_FIELD_SHARING'],
  },
  {
    name: 'arguments of a shared field: what only one has is left out, if optional',
    subgraphs: {
      a: `${F} type Query { f(a: Int, b: Int = 3): Int @shareable }`,
      b: `${F} type Query { f(b: Int = 3): Int @shareable }`,
    },
    facts: ['Query.f(b: Int = 3)', '!Query.f(a: Int)'],
  },
  {
    name: 'a required argument that another subgraph lacks is refused',
    subgraphs: {
      a: `${F} type Query { f(a: Int!): Int @shareable }`,
      b: `${F} type Query { f: Int @shareable }`,
    },
    refused: ['REQUIRED_ARGUMENT_MISSING_IN_SOME_SUBGRAPH'],
  },
  {
    name: 'the stronger nullability of an argument is published',
    subgraphs: {
      a: `${F} type Query { f(a: Int!, l: [[Int!]!]!, e: [Int!]!): Int @shareable }`,
      b: `${F} type Query { f(a: Int, l: [[Int]], e: [Int]): Int @shareable }`,
    },
    facts: ['Query.f(a: Int!)', 'Query.f(l: [[Int!]!]!)', 'Query.f(e: [Int!]!)'],
  },
  {
    name: 'defaults of a shared argument that differ are refused',
    subgraphs: {
      a: `${F} type Query { f(a: Int = 1): Int @shareable }`,
      b: `${F} type Query { f(a: Int = 2): Int @shareable }`,
    },
    refused: ['FIELD_ARGUMENT_DEFAULT_MISMATCH'],
  },
  {
    name: 'types of a shared argument that differ are refused',
    subgraphs: {
      a: `${F} type Query { f(a: Int): Int @shareable }`,
      b: `${F} type Query { f(a: String): Int @shareable }`,
    },
    refused: ['FIELD_ARGUMENT_TYPE_MISMATCH'],
  },
  {
    name: 'mutations and subscriptions are shared like queries',
    subgraphs: {
      a: `${F} type Query { a: Int } type Mutation { m: Int @shareable } type Subscription { s: Int }`,
      b: `${F} type Mutation { m: Int! @shareable n: Int }`,
    },
    facts: ['Mutation.m: Int', 'Mutation.m @b type(Int!)', 'Mutation.n @b', 'Subscription.s @a'],
  },
]

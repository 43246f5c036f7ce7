import { type CompositionSet, fed } from './composition-set.ts'

const F = fed('2.3', '@key @shareable @external @requires @provides @inaccessible')

export const keys: readonly CompositionSet[] = [
  {
    name: 'a type has several keys, and other subgraphs use some of them',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") @key(fields: "sku region") { id: ID! sku: String! region: String! a: Int }`,
      b: `${F} type T @key(fields: "sku region") { sku: String! region: String! b: Int }`,
      c: `${F} type T @key(fields: "id") { id: ID! c: Int }`,
    },
    facts: [
      'T @a key(id)',
      'T @a key(region sku)',
      'T @b key(region sku)',
      'T.sku @a',
      'T.sku @b',
      'T.id @c',
    ],
  },
  {
    name: 'nested objects of keys are shareable value types or entities',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id org { id country { code } }") { id: ID! org: Org! a: Int }
        type Org @key(fields: "id") { id: ID! country: Country! @shareable } type Country @shareable { code: String! }`,
      b: `${F} type T @key(fields: "org { country { code } id } id") { id: ID! org: Org! b: Int }
        type Org @key(fields: "id") { id: ID! country: Country! @shareable } type Country @shareable { code: String! }`,
    },
    facts: ['T @a key(id org { country { code } id })', 'T @b key(id org { country { code } id })'],
  },
  {
    name: 'an unresolvable key may be emitted and not entered',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id", resolvable: false) { id: ID! }`,
      b: `${F} type T @key(fields: "id") { id: ID! b: Int }`,
    },
    facts: ['T @a key(id) unresolvable', 'T @b key(id)'],
  },
  {
    name: 'one type has a resolvable and an unresolvable key',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") @key(fields: "sku", resolvable: false) { id: ID! sku: String! }`,
      b: `${F} type T @key(fields: "sku") { sku: String! b: Int }`,
    },
    facts: ['T @a key(id)', 'T @a key(sku) unresolvable', 'T @b key(sku)'],
  },
  {
    name: 'a field nobody can reach is refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! }`,
      b: `${F} type T @key(fields: "id", resolvable: false) { id: ID! b: Int }`,
    },
    refused: ['SATISFIABILITY_ERROR'],
  },
  {
    name: 'a key stands on an extension of the type',
    subgraphs: {
      a: `${F} type Query { t: T } type T { id: ID! a: Int } extend type T @key(fields: "id")`,
      b: `${F} extend type T @key(fields: "id") { id: ID! } extend type T { b: Int }`,
    },
    facts: ['T @a key(id)', 'T @b key(id)', 'T.b @b'],
  },
  {
    name: 'a federation 2 key field may be external in an extension',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! a: Int }`,
      b: `${F} extend type T @key(fields: "id") { id: ID! @external b: Int }`,
      c: `${F} type T @key(fields: "id") { id: ID! @external c: Int }`,
    },
    facts: ['T @b key(id)', 'T.b @b'],
  },
  {
    name: 'a Federation 1 extension resolves its external key field, also where it is provided',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") @key(fields: "x") { id: ID! x: ID! a: Int }`,
      b: 'extend type T @key(fields: "id") { id: ID! @external b: Int } type Query { best: T @provides(fields: "id") other: T }',
      c: `${F} type T @key(fields: "x") { x: ID! c: Int }`,
    },
    facts: ['T.id @a', 'T.id @b', '!T.id @b external', 'Query.best @b provides(id)'],
  },
  {
    name: 'a Federation 1 extension without a key resolves the first key of another subgraph',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") @key(fields: "x") { id: ID! x: ID! a: Int }`,
      b: 'extend type T { id: ID! @external } type Query { best: T @provides(fields: "id") other: T }',
      c: `${F} type T @key(fields: "x") { x: ID! c: Int }`,
    },
    facts: ['T.id @a', 'T.id @b', '!T.id @b external'],
  },
  {
    name: 'another key than the first is external in a Federation 1 extension without a key',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") @key(fields: "x") { id: ID! x: ID! a: Int }`,
      b: 'extend type T { id: ID! @external x: ID! @external } type Query { best: T @provides(fields: "x") }',
    },
    facts: ['T.id @b', 'T.x @b external'],
  },
  {
    name: 'a hidden field is a key',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "secret") { secret: ID! @inaccessible a: Int }`,
      b: `${F} type T @key(fields: "secret") { secret: ID! b: Int }`,
    },
    facts: ['T.secret @inaccessible', 'T @b key(secret)'],
  },
  {
    name: 'keys contain lists',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "parts { id }") { parts: [P!]! @shareable } type P @key(fields: "id") { id: ID! }`,
      b: `${F} type T @key(fields: "parts { id }") { parts: [P!]! @shareable total: Int } type P @key(fields: "id") { id: ID! w: Int }`,
    },
    facts: ['T @b key(parts { id })', 'P.w @b'],
  },
  {
    name: 'a key selects nothing that needs arguments',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: "f") { f(a: Int): Int }` },
    refused: ['KEY_FIELDS_HAS_ARGS'],
  },
  {
    name: 'a key that selects a field the type lacks is refused',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: "nope") { f: Int }` },
    refused: ['KEY_INVALID_FIELDS'],
  },
  {
    name: 'the fields of a key are a string',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: ["f"]) { f: Int }` },
    refused: ['KEY_INVALID_FIELDS_TYPE'],
  },
  {
    name: 'Federation 1 accepts names and lists as fields of a key',
    subgraphs: {
      a: 'type Query { t: T } type T @key(fields: id) { id: ID! }',
      b: 'type T @key(fields: ["id"]) { id: ID! b: Int }',
    },
    facts: ['T @a key(id)', 'T @b key(id)'],
  },
  {
    name: 'chains of different keys connect subgraphs',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "x") { x: ID! }`,
      b: `${F} type T @key(fields: "x") @key(fields: "y") { x: ID! y: ID! }`,
      c: `${F} type T @key(fields: "y") @key(fields: "z") { y: ID! z: ID! }`,
      d: `${F} type T @key(fields: "z") { z: ID! end: String }`,
    },
    facts: ['T @d key(z)', 'T.end @d'],
  },
  {
    name: 'entities lead back to the query root',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! query: Query! }`,
      b: `${F} type Query { other: Int } type T @key(fields: "id") { id: ID! b: Int }`,
    },
    facts: ['T.query: Query!', 'Query.other @b'],
  },
  {
    name: 'selections of keys may use commas, comments and odd spacing',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "{ id, sku }") @key(fields: " o{i} ") { id: ID! sku: ID! o: O } type O { i: ID! @shareable }`,
      b: `${F} type T @key(fields: "id,sku") { id: ID!, sku: ID!, b: Int }`,
    },
    facts: ['T @a key(id sku)', 'T @a key(o { i })'],
  },
  {
    name: 'a key with a union or an interface in it is refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "u { ... on X { x } }") { u: U } union U = X type X { x: Int }`,
    },
    refused: ['KEY_FIELDS_SELECT_INVALID_TYPE'],
  },
  {
    name: 'a value is split over subgraphs behind a field that leads back to the query root',
    subgraphs: {
      a: `${F} type Query { split: Split @shareable product: Product } type Split { common: Int @shareable } type Product { again: Query! back: [Query] }`,
      b: `${F} type Query { split: Split @shareable } type Split { common: Int @shareable part: Int }`,
    },
    facts: ['Product.again: Query!', 'Product.back: [Query]', 'Split.part @b', 'Split.common @a'],
  },
]

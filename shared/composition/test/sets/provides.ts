import { type CompositionSet, fed } from './composition-set.ts'

const F = fed('2.3', '@key @shareable @external @requires @provides @inaccessible')

export const provides: readonly CompositionSet[] = [
  {
    name: 'a field provides nested fields of entities',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! name: String @shareable owner: U @shareable } type U @key(fields: "id") { id: ID! mail: String @shareable }`,
      b: `${F} type Query { best: T @provides(fields: "name owner { mail }") } type T @key(fields: "id") { id: ID! name: String @external owner: U @external } type U @key(fields: "id") { id: ID! mail: String @external }`,
    },
    facts: ['Query.best @b provides(name owner { mail })', 'U.mail @b external', 'T.owner @b external'],
  },
  {
    name: 'a field provides fields of members of a union',
    subgraphs: {
      a: `${F} type Query { u: U } union U = X | Y type X @key(fields: "id") { id: ID! x: Int @shareable } type Y @key(fields: "id") { id: ID! y: Int @shareable }`,
      b: `${F} type Query { some: U @provides(fields: "... on X { x } ... on Y { y }") } union U = X | Y type X @key(fields: "id") { id: ID! x: Int @external } type Y @key(fields: "id") { id: ID! y: Int @external }`,
    },
    facts: ['Query.some @b provides(... on X { x } ... on Y { y })', 'X.x @b external'],
  },
  {
    name: 'a field provides fields of an interface',
    subgraphs: {
      a: `${F} type Query { n: N } interface N { id: ID! name: String } type X implements N @key(fields: "id") { id: ID! name: String @shareable } type Y implements N @key(fields: "id") { id: ID! name: String @shareable }`,
      b: `${F} type Query { some: N @provides(fields: "... on X { name }") all: [N] @provides(fields: "... on X { name } ... on Y { name }") } interface N { id: ID! name: String } type X implements N @key(fields: "id") { id: ID! name: String @external } type Y implements N @key(fields: "id") { id: ID! name: String @external }`,
    },
    facts: ['Query.some @b provides(... on X { name })', 'X.name @b external'],
  },
  {
    name: 'providing a field of an interface without a fragment is refused',
    subgraphs: {
      a: `${F} type Query { n: N } interface N { id: ID! name: String } type X implements N @key(fields: "id") { id: ID! name: String }`,
      b: `${F} type Query { some: N @provides(fields: "name") } interface N { id: ID! name: String } type X implements N @key(fields: "id") { id: ID! name: String @external }`,
    },
    refused: ['PROVIDES_FIELDS_MISSING_EXTERNAL'],
  },
  {
    name: 'a field of an entity provides for lists of value types',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! vs: [V] @shareable } type V @shareable { x: Int y: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! vs: [V] @shareable ws: [V] @provides(fields: "y") } type V { x: Int @shareable y: Int @external }`,
    },
    facts: ['T.ws @b provides(y)', 'V.y @b external'],
  },
  {
    name: 'providing what is not external is refused',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "n") } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! m: Int }`,
    },
    refused: ['PROVIDES_FIELDS_MISSING_EXTERNAL'],
  },
  {
    name: 'providing on a scalar is refused',
    subgraphs: { a: `${F} type Query { t: Int @provides(fields: "n") }` },
    refused: ['PROVIDES_ON_NON_OBJECT_FIELD'],
  },
  {
    name: 'providing a field with arguments is refused',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "n") } type T @key(fields: "id") { id: ID! n(x: Int): Int @external }`,
      b: `${F} type T @key(fields: "id") { id: ID! n(x: Int): Int }`,
    },
    refused: ['PROVIDES_FIELDS_HAS_ARGS'],
  },
  {
    name: 'a provided key field stays a key',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! sku: ID! @shareable }`,
      b: `${F} type Query { best: T @provides(fields: "sku") } type T @key(fields: "id") { id: ID! sku: ID! @external }`,
    },
    facts: ['T.sku @b external', 'Query.best @b provides(sku)'],
  },
  {
    name: 'a provision in a fragment of a union may select what the subgraph resolves itself',
    subgraphs: {
      a: `${F} type Query { u: U @provides(fields: "... on T { name }") } union U = T type T @key(fields: "id") { id: ID! name: String @shareable }`,
      b: `${F} type T @key(fields: "id") { id: ID! name: String @shareable }`,
    },
    facts: ['Query.u @a provides(... on T { name })', 'T.name @a', 'T.name @b'],
  },
  {
    name: 'a provision of a union selects nothing outside of fragments that the subgraph resolves itself',
    subgraphs: {
      a: `${F} type Query { u: U @provides(fields: "id ... on T { name }") } union U = T type T @key(fields: "id") { id: ID! name: String @shareable }`,
      b: `${F} type T @key(fields: "id") { id: ID! name: String @shareable }`,
    },
    refused: ['PROVIDES_FIELDS_MISSING_EXTERNAL'],
  },
  {
    name: 'a provided field need not be shareable where it is resolved',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! name: String }`,
      b: `${F} type Query { best: T @provides(fields: "name") } type T @key(fields: "id") { id: ID! name: String @external }`,
    },
    facts: ['Query.best @b provides(name)', 'T.name @b external'],
  },
  {
    name: 'external on a field of an interface is refused',
    subgraphs: {
      a: `${F} type Query { n: N } interface N { id: ID! name: String } type X implements N @key(fields: "id") { id: ID! name: String }`,
      b: `${F} type Query { some: N @provides(fields: "name") } interface N { id: ID! name: String @external } type X implements N @key(fields: "id") { id: ID! name: String @external }`,
    },
    refused: ['EXTERNAL_ON_INTERFACE'],
  },
  {
    name: 'providing a field that leads back to the query root is refused',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "again") } type T @key(fields: "id") { id: ID! again: Query @external }`,
      b: `${F} type Query { b: Int } type T @key(fields: "id") { id: ID! again: Query }`,
    },
    refused: ['PROVIDES_INVALID_FIELDS'],
  },
]

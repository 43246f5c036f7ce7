/** Paths that no subgraph can go on with: the code is SATISFIABILITY_ERROR. */
import { type ErrorSet, F } from './error-set.ts'

type Unreachable = Omit<ErrorSet, 'code'>

const cases: readonly Unreachable[] = [
  {
    name: 'the key of the next subgraph needs a field that this one does not have',
    subgraphs: {
      catalogue: `${F} type Query { ‹product›: Product } type Product @key(fields: "id") { id: ID! }`,
      stock: `${F} type Product @key(fields: "‹sku›") { sku: ID! @inaccessible ‹count›: Int }`,
    },
    labels: ['the path comes to here', 'not in subgraph "catalogue"', 'resolved here'],
    says: 'the @key(fields: "sku") of subgraph "stock" needs "Product.sku", which subgraph "catalogue" does not have.',
  },
  {
    name: 'the key of the next subgraph needs a field inside of another one',
    subgraphs: {
      a: `${F} type Query { ‹t›: T } type T @key(fields: "in { id }") { ‹in›: In } type In @shareable { id: ID! }`,
      b: `${F} type T @key(fields: "in { id ‹no› }") { in: In ‹x›: Int } type In @shareable { id: ID! ‹no›: Int }`,
    },
    labels: [
      'the path comes to here',
      'the path comes to here',
      'not in subgraph "a"',
      'resolved here',
      '"In" has no @key here',
    ],
    errors: 2,
  },
  {
    name: 'the next subgraph has no key',
    subgraphs: {
      a: `${F} type Query { ‹t›: T } type T @shareable { x: Int }`,
      b: `${F} type T @shareable { x: Int ‹y›: Int }`,
    },
    labels: ['the path comes to here', '"T" has no @key here'],
    says: 'subgraph "b" has "T.y", but no @key on "T" to be entered by',
  },
  {
    name: 'the key of the next subgraph is not resolvable',
    subgraphs: {
      a: `${F} type Query { ‹t›: T } type T @key(fields: "id") { id: ID! }`,
      b: `${F} type T ‹@key(fields: "id", resolvable: false)› { id: ID! ‹x›: Int }`,
    },
    labels: ['the path comes to here', 'not resolvable', 'resolved here'],
    says: 'the @key(fields: "id") of subgraph "b" is "resolvable: false"',
  },
  {
    name: 'the key of an own type is external',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "‹id›") { ‹id›: ID! }`,
      b: `${F} type Query { ‹other›: T } type T @key(fields: "id") { ‹id›: ID! ‹@external› x: Int @shareable }`,
    },
    labels: [
      '@external in subgraph "b"',
      'resolved here',
      'the path comes to here',
      '@external here',
      'remove this: the field is part of a @key',
    ],
    says: 'which is @external in subgraph "b" although a @key there names it',
  },
  {
    name: 'a type condition is part of the path',
    subgraphs: {
      a: `${F} type Query { ‹u›: U } union U = A | B type A @shareable { x: Int } type B { y: Int }`,
      b: `${F} type A @shareable { x: Int ‹z›: Int }`,
    },
    labels: ['the path comes to here', '"A" has no @key here'],
    says: 'Query.u (a) → ... on A (a)',
  },
  {
    name: 'an interface object cannot be entered',
    subgraphs: {
      a: `${F} type Query { ‹i›: I } interface I @key(fields: "id") { id: ID! } type X implements I @key(fields: "id") { id: ID! }`,
      b: `${F} type I @key(fields: "‹sku›") @interfaceObject { sku: ID! @inaccessible ‹z›: Int }`,
    },
    labels: ['the path comes to here', 'not in subgraph "a"', 'resolved here'],
  },
  {
    name: 'a required field cannot be fetched',
    subgraphs: {
      a: `${F} type Query { ‹t›: T } type T @key(fields: "id") { id: ID! }`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! ‹r›: Int @external ‹x›: Int @requires(fields: "‹r›") }`,
      c: `${F} type T @key(fields: "‹other›") { ‹other›: ID! ‹r›: Int }`,
    },
    labels: [
      'the path comes to here',
      'the path can go on to here',
      '@external here',
      'resolved here',
      'cannot be fetched',
      'not in subgraph "a"',
      'resolved here',
      'resolved here',
    ],
    errors: 3,
  },
  {
    name: 'names are those of Object.prototype',
    subgraphs: {
      constructor: `${F} type Query { ‹toString›: valueOf } type valueOf @key(fields: "id") { id: ID! }`,
      b: `${F} type valueOf @key(fields: "‹other›") { other: ID! @inaccessible ‹hasOwnProperty›: Int }`,
    },
    labels: ['the path comes to here', 'not in subgraph "constructor"', 'resolved here'],
    says: 'Query.toString (constructor)',
  },
]

export const unreachable: readonly ErrorSet[] = cases.map((one) => ({ ...one, code: 'SATISFIABILITY_ERROR' }))

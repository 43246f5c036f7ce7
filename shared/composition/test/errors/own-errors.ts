/** Mistakes that only our own rules find. */
import { type ErrorSet, F } from './error-set.ts'

export const ownErrors: readonly ErrorSet[] = [
  {
    code: 'NO_SUBGRAPHS',
    name: 'there is nothing to compose',
    subgraphs: {},
    alone: true,
  },
  {
    code: 'UNSUPPORTED_DIRECTIVE',
    name: 'a context is used',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", "@context"]) type Query ‹@context(name: "c")› { x: Int }',
    },
  },
  {
    code: 'KEY_FIELDS_SELECT_INVALID_TYPE',
    name: 'a key selects a field of a union',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id ‹u› { ... on X { x } }") { id: ID! u: U } union U = X type X { x: Int }`,
    },
  },
  {
    code: 'EXTERNAL_ON_INTERFACE',
    name: 'a field of an interface is external',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { x: Int ‹@external› } type X implements I @key(fields: "x") { x: Int }`,
    },
  },
  {
    code: 'OVERRIDE_SOURCE_HAS_OVERRIDE',
    name: 'two subgraphs override a field one from another',
    subgraphs: {
      a: `${F} type Query { x: Int ‹@override(from: "b")› }`,
      b: `${F} type Query { x: Int ‹@override(from: "a")› }`,
    },
  },
  {
    code: 'INVALID_FIELD_SHARING',
    name: 'two subgraphs take over one field',
    subgraphs: {
      a: `${F} type Query { x: Int ‹@override(from: "c")› }`,
      b: `${F} type Query { x: Int ‹@override(from: "c")› }`,
      c: `${F} type Query { x: Int }`,
    },
  },
  {
    code: 'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE',
    name: 'a subgraph has a key of an interface without interface objects and does not know all its types',
    subgraphs: {
      a: `${F} type Query { i: I } interface I ‹@key(fields: "id")› { id: ID! } type X implements I @key(fields: "id") { id: ID! }`,
      b: `${F} type Query { b: I } interface I { id: ID! } type ‹Y› implements I @key(fields: "id") { id: ID! }`,
    },
    labels: ['', 'implements "I" here'],
  },
  {
    code: 'SATISFIABILITY_ERROR',
    name: 'requirements lead back to themselves',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! y: Int @external x: Int @requires(fields: "‹y›") }`,
      b: `${F} type T @key(fields: "id") { id: ID! x: Int @external y: Int @requires(fields: "‹x›") }`,
    },
    errors: 2,
  },
]

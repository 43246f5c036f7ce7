/** The smallest graphs that show a class of differences, most of them reduced from a random graph. */
import type { Sdls } from '../random-graph.ts'
import { fed } from '../../test/sets/composition-set.ts'

export type ClassExample = {
  /** The name of the class. */
  readonly shows: string
  readonly name: string
  readonly sdls: Sdls
}

export const EXAMPLES: readonly ClassExample[] = [
  {
    shows: 'an override from nobody',
    name: 'a field that is overridden from nobody, and by another subgraph under a label',
    sdls: {
      a: `${fed('2.7', '@key @override')} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int @override(from: "nobody") }`,
      b: `${fed('2.7', '@key @override')} type T @key(fields: "id") { id: ID! n: Int @override(from: "a", label: "percent(0)") }`,
    },
  },
  {
    shows: 'the use of an overridden field in its own subgraph',
    name: 'a requirement that has a text as well',
    sdls: {
      a: `${fed('2.7', '@key @override')} type P @key(fields: "id") { id: ID! n: Int @override(from: "c") }`,
      b: `${fed('2.7', '@key')} type Query { p: P } type P @key(fields: "id") { id: ID! name(of: String): String other: Other } union Other = P | U type U { x: Int }`,
      c: `${fed('2.7', '@key @external @requires')} type P @key(fields: "id") { id: ID! n: Int name(of: String): String @external other: Other @external sum: Int @requires(fields: "name(of: \\"m\\") other { ... on P { n } }") } union Other = P`,
    },
  },
  {
    shows: 'the use of an overridden field in its own subgraph',
    name: 'a provision, and an interface that the type has in another subgraph',
    sdls: {
      a: `${fed('2.7', '@key @external @provides')} type Query { u: U @provides(fields: "p { n }") } interface I { n: Int } type U @key(fields: "id") { id: ID! p: P @external } type P @key(fields: "id") { id: ID! n: Int }`,
      b: `${fed('2.7', '@key @override')} interface I { id: ID! } type U @key(fields: "id") { id: ID! p: P } type P implements I @key(fields: "id") { id: ID! n: Int @override(from: "a", label: "percent(1)") }`,
    },
  },
  {
    shows: 'a root that an extension of the schema names',
    name: 'a query root under another name',
    sdls: {
      a: `${fed('2.3', '@key').trim()} { query: Q } type Q { a: Int }`,
      b: `${fed('2.3', '@key')} type Query { x: Int }`,
    },
  },
  {
    shows: 'an error from the next version on',
    name: 'a query root under another name that has no fields, beside a mistake',
    sdls: {
      a: `${fed('2.3', '@key').trim()} { query: Q } type Q @key(fields: "a")`,
    },
  },
  {
    shows: 'a directive under the name of its specification',
    name: 'a cost',
    sdls: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [{ name: "@cost", as: "@price" }]) type Query { a: Int @price(weight: 2) }',
    },
  },
  {
    shows: 'a definition that is deprecated twice',
    name: 'two reasons',
    sdls: { a: 'type Query { x: Int @deprecated @deprecated(reason: "gone") }' },
  },
  {
    shows: 'beside an unknown directive',
    name: 'an interface object without a key, before Federation 2.3',
    sdls: {
      a: `${fed('2.2', '@key')} type Query { i: I } type I @federation__interfaceObject { id: ID! }`,
    },
  },
  {
    shows: 'an external field of Federation 1',
    name: 'a field that nothing selects, beside an override from nobody',
    sdls: {
      a: `${fed('2.3', '@key @override')} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int @override(from: "nobody") }`,
      b: 'extend type T @key(fields: "id") { id: ID! @external n: Int @external m: Int }',
    },
  },
  {
    shows: 'lists of different depth',
    name: 'an external field of Federation 1',
    sdls: {
      a: 'type Query { p: P } type P @key(fields: "id") { id: ID! media: [[Media]] } interface Media { x: Int } type Film implements Media { x: Int }',
      b: 'extend type P @key(fields: "id") { id: ID! @external media: [Media] @external } interface Media { x: Int } type Film implements Media { x: Int }',
    },
  },
  {
    shows: 'a rule of access that nobody can meet',
    name: 'a list of scopes without any',
    sdls: {
      a: `${fed('2.9', '@requiresScopes')} type Query { a: Int @requiresScopes(scopes: []) }`,
    },
  },
  {
    shows: 'an external field of Federation 1 that the library takes as resolved',
    name: 'a field that the key of another subgraph has',
    sdls: {
      songs: 'type Query { song: Song } type Song @key(fields: "id title") { id: ID! title: String }',
      charts:
        'extend type Query { hits: [Song] } extend type Song @key(fields: "id") { id: ID! @external title: String @external }',
    },
  },
  {
    shows: 'an external field that promises more',
    name: 'a field that may be null',
    sdls: {
      a: `${fed('2.3', '@key')} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${fed('2.3', '@key @external @requires')} type T @key(fields: "id") { id: ID! n: Int! @external m: Int @requires(fields: "n") }`,
    },
  },
  {
    shows: 'a default of an argument that is not published',
    name: 'a hidden value of an argument that another subgraph lacks',
    sdls: {
      a: `${fed('2.3', '@inaccessible @shareable')} type Query { x(e: E = A): Int @shareable } enum E { A @inaccessible B }`,
      b: `${fed('2.3', '@shareable')} type Query { x: Int @shareable }`,
    },
  },
  {
    shows: 'a composed directive of federation with a definition of its own',
    name: 'a tag',
    sdls: {
      a: `${fed('2.3', '@tag @composeDirective')} extend schema @composeDirective(name: "@tag") directive @tag(name: String!) repeatable on FIELD_DEFINITION type Query { x: Int }`,
    },
  },
  {
    shows: 'an external field that a refused selection uses',
    name: 'a provision that does not end',
    sdls: {
      a: `${fed('2.3', '@key @external @provides')} type Query { i: I t: T @provides(fields: "id {") } interface I { t: T @provides(fields: "x") } type X implements I { t: T } type T @key(fields: "id") { id: ID! x: Int @external }`,
    },
  },
  {
    shows: 'what follows from a mistake that is told',
    name: 'a provision of a union with a member that is no object type',
    sdls: {
      a: `${fed('2.3', '@external @provides')} type Query { any: [[Thing]] @provides(fields: "... on User { x }") } type User { x: Int } union Thing = User | Shop enum Shop { OPEN }`,
    },
  },
  {
    shows: 'a value that GraphQL takes',
    name: 'null, beside a type that is an extension alone',
    sdls: {
      a: 'directive @x(c: Int) on UNION type Query { u: U v: V } extend type T { a: Int } union U @x(c: null) = T type V { b: Int }',
    },
  },
  {
    shows: 'the library stops at a field that is not there',
    name: 'a type of three kinds',
    sdls: {
      a: 'interface Worker { pay: Int }',
      b: 'type Query { others: [Worker] } type Worker { id: ID! }',
      c: `${fed('2.3', '@key @external @requires @interfaceObject')} type Worker @interfaceObject @key(fields: "id") { id: ID! handle: String @external badge: Int @requires(fields: "handle") }`,
    },
  },
]

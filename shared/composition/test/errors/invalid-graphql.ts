/** Subgraphs that are no valid schemas: the code is INVALID_GRAPHQL. */
import { type ErrorSet, F } from './error-set.ts'

type Invalid = Omit<ErrorSet, 'code' | 'subgraphs'> & { readonly sdl: string }

const cases: readonly Invalid[] = [
  { name: 'a cost without a weight', sdl: `${F} type Query { x: Int ‹@cost› }` },
  { name: 'a syntax error', sdl: `${F} type Query { x Int‹}›`.replace('x Int‹}›', 'x ‹Int› }') },
  { name: 'an operation in a schema', sdl: `type Query { x: Int }\n‹query› { x }` },
  { name: 'an unknown type', sdl: `${F} type Query { x: ‹Nope› }` },
  { name: 'an unknown directive', sdl: `${F} type Query { x: Int ‹@nope› }` },
  {
    name: 'a federation directive that is not imported',
    sdl: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) type Query { x: Int ‹@shareable› }',
  },
  {
    name: 'a directive where it may not stand',
    sdl: `${F} type Query ‹@external› { x: Int } enum E ‹@shareable› { A }`.replace('‹@external›', ''),
  },
  {
    name: 'a directive without a required argument',
    sdl: `${F} type Query { t: T } type T ‹@key› { id: ID! }`,
  },
  { name: 'a directive with an unknown argument', sdl: `${F} type Query { x: Int @shareable(‹nope: 1›) }` },
  {
    name: 'a directive with a wrong value',
    sdl: `${F} directive @mine(a: Int) on FIELD_DEFINITION type Query { x: Int @mine(‹a: "s"›) }`,
  },
  {
    name: 'a type defined twice',
    sdl: `${F} type Query { t: T } type ‹T› { x: Int } type ‹T› { y: Int }`,
    labels: ['first here', 'again here'],
  },
  {
    name: 'a directive defined twice',
    sdl: `${F} type Query { t: Int } directive @‹mine› on FIELD directive @‹mine› on FIELD`,
    labels: ['first here', 'again here'],
  },
  {
    name: 'a field defined twice',
    sdl: `${F} type Query { ‹x›: Int ‹x›: Int }`,
    labels: ['first here', 'again here'],
  },
  {
    name: 'an argument defined twice',
    sdl: `${F} type Query { x(‹a›: Int, ‹a›: Int): Int }`,
    labels: ['first here', 'again here'],
  },
  {
    name: 'an enum value defined twice',
    sdl: `${F} type Query { e: E } enum E { ‹A› B ‹A› }`,
    labels: ['first here', 'again here'],
  },
  {
    name: 'an input field defined twice',
    sdl: `${F} type Query { x(i: I): Int } input I { ‹a›: Int ‹a›: Int }`,
    labels: ['first here', 'again here'],
  },
  {
    name: 'an argument given twice',
    sdl: `${F} type Query { x: Int @tag(‹name›: "a", ‹name›: "b") }`,
    labels: ['first here', 'again here'],
  },
  {
    name: 'a directive given twice',
    sdl: `${F} directive @mine on FIELD_DEFINITION type Query { x: Int ‹@mine› ‹@mine› }`,
    labels: ['first here', 'again here'],
  },
  {
    name: 'two schema definitions',
    sdl: '‹schema { query: Query }› ‹schema { mutation: M }› type Query { x: Int } type M { x: Int }',
    labels: ['first here', 'again here'],
  },
  {
    name: 'two mutation roots',
    sdl: 'schema { query: Query mutation: ‹M› mutation: ‹N› } type Query { x: Int } type M { y: Int } type N { y: Int }',
    labels: ['first here', 'again here'],
  },
  {
    name: 'an unknown root',
    says: 'mutation root to unknown type Nope',
    sdl: `${F} schema { query: Query mutation: ‹Nope› } type Query { x: Int }`,
  },
  {
    name: 'one root for two kinds of operations',
    sdl: `${F} schema { query: ‹Query› mutation: ‹Query› } type Query { x: Int }`,
  },
  {
    name: 'a type implements what is no interface',
    sdl: `${F} type Query implements ‹T› { x: Int } type T { x: Int }`,
  },
  {
    name: 'an interface implements itself',
    sdl: `${F} type Query { x: Int } interface I implements ‹I› { x: Int }`,
  },
  {
    name: 'a type lacks a field of its interface',
    sdl: `${F} type ‹Query› implements I { x: Int } interface I { x: Int ‹y›: Int }`,
    labels: ['no field "y" here', 'declared here'],
  },
  {
    name: 'a type has a field of its interface with another type',
    sdl: `${F} type Query implements I { x: ‹Int› } interface I { x: ‹String› }`,
    labels: ['Int here', 'String here'],
  },
  {
    name: 'a type lacks an argument of its interface',
    sdl: `${F} type Query implements I { ‹x›: Int } interface I { x(‹a›: Int): Int }`,
    labels: ['no argument "a" here', 'declared here'],
  },
  {
    name: 'a type has an argument of its interface with another type',
    sdl: `${F} type Query implements I { x(a: ‹Int›): Int } interface I { x(a: ‹ID›): Int }`,
    labels: ['Int here', 'ID here'],
  },
  {
    name: 'a type requires an argument that its interface does not have',
    sdl: `${F} type Query implements I { x(‹a›: Int!): Int } interface I { ‹x›: Int }`,
    labels: ['required here', 'no argument "a" here'],
  },
  {
    name: 'a type lacks an interface of its interface',
    sdl: `${F} type Query implements ‹J› { x: Int } interface I { x: Int } interface J implements I { x: Int }`,
  },
  { name: 'an input type as the type of a field', sdl: `${F} type Query { x: ‹In› } input In { a: Int }` },
  {
    name: 'an object type as the type of an argument',
    sdl: `${F} type Query { x(a: ‹T›): Int } type T { a: Int }`,
  },
  {
    name: 'an object type as the type of an input field',
    sdl: `${F} type Query { x(a: In): Int } input In { a: ‹T› } type T { a: Int }`,
  },
  { name: 'a required argument is deprecated', sdl: `${F} type Query { x(a: Int! ‹@deprecated›): Int }` },
  {
    name: 'a required input field is deprecated',
    sdl: `${F} type Query { x(i: In): Int } input In { a: Int! ‹@deprecated› }`,
  },
  {
    name: 'a default that is not of the type of its argument',
    sdl: `${F} type Query { x(a: Int = ‹"s"›): Int }`,
  },
  {
    name: 'a default that is not of the type of its input field',
    sdl: `${F} type Query { x(i: In): Int } input In { a: Int = ‹"s"› }`,
  },
  { name: 'a union of a scalar', sdl: `${F} type Query { u: U } union U = ‹S› scalar S` },
  { name: 'a type without fields', sdl: `${F} type Query { t: T } type ‹T›` },
  {
    name: 'input types that require each other',
    sdl: `${F} type Query { x(i: A): Int } input A { ‹b›: B! } input B { ‹a›: A! }`,
  },
  {
    name: 'a type that routers add for themselves',
    sdl: `${F} scalar _Any type Query { x: ‹_Any› }`,
  },
  {
    name: 'a scalar of the federation specification as the type of a field',
    sdl: `${F} type Query { x: ‹federation__FieldSet› }`,
  },
  {
    name: 'a scalar of the federation specification in the definition of another directive',
    sdl: `${F} directive @mine(x: ‹federation__FieldSet›) on OBJECT type Query { x: Int }`,
  },
  {
    name: 'a union of an interface object',
    sdl: `${F} type Query { u: U } union U = A | ‹M› type A { x: Int } type M @interfaceObject @key(fields: "id") { id: ID! }`,
  },
  {
    name: 'a directive under both its names that is not repeatable',
    sdl: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.1", import: ["@shareable"]) type Query { x: Int ‹@shareable› ‹@federation__shareable› }',
    labels: ['first here', 'again here'],
  },
  {
    name: 'a link to a version 1 of federation that was never written down',
    sdl: 'extend schema ‹@link(url: "https://specs.apollo.dev/federation/v1.0")› type Query { x: Int }',
  },
  { name: 'a reserved name', sdl: `${F} type Query { ‹__x›: Int }` },
]

export const invalidGraphql: readonly ErrorSet[] = cases.map(({ sdl, ...rest }) => ({
  ...rest,
  code: 'INVALID_GRAPHQL',
  subgraphs: { a: sdl },
}))

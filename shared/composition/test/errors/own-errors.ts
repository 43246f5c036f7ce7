/** Mistakes that the composition library does not find. */
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
    code: 'UNSUPPORTED_DIRECTIVE',
    name: 'a context is linked by its own specification',
    subgraphs: {
      a: `${F} extend schema @link(url: "https://specs.apollo.dev/context/v0.1") type Query { t: T } type T ‹@context(name: "c")› { x: Int }`,
    },
  },
  {
    code: 'UNSUPPORTED_DIRECTIVE',
    name: 'a field is resolved by a connector',
    subgraphs: {
      a: `${F} extend schema @link(url: "https://specs.apollo.dev/connect/v0.1", import: ["@connect", "@source"]) ‹@source(name: "s", http: { baseURL: "http://s" })›
        type Query { x: Int ‹@connect(source: "s", http: { GET: "/" }, selection: "x")› }`,
    },
    errors: 2,
    says: 'is not supported: connectors are not run by the router',
  },
  {
    code: 'UNSUPPORTED_DIRECTIVE',
    name: 'a connector is written by its full name, in a version that came later',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.15") @link(url: "https://specs.apollo.dev/connect/v0.9", as: "rest")
        type Query { x: T ‹@rest(selection: "x")› } type T ‹@rest__mapping(selection: "x")› { x: Int }`,
    },
    errors: 2,
  },
  {
    code: 'AUTHORIZATION_NOT_COMPOSED',
    name: 'who may see something is said where no router enforces it',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@authenticated"]) directive @authenticated on FIELD_DEFINITION | ENUM_VALUE | INPUT_FIELD_DEFINITION | UNION | ARGUMENT_DEFINITION type Query { a(i: In, n: Int ‹@authenticated›): E u: U } enum E { A ‹@authenticated› B } input In { x: Int ‹@authenticated› } union U ‹@authenticated› = T type T { y: Int }',
    },
    errors: 4,
    says: 'is enforced by no router',
  },
  {
    code: 'INVALID_GRAPHQL',
    name: 'no scope or policy is named that somebody could have',
    subgraphs: {
      a: `${F} type Query { a: Int ‹@requiresScopes(scopes: [])› b: Int ‹@policy(policies: [["p", null]])› c: Int ‹@policy(policies: [7])› }`,
    },
    errors: 3,
    says: 'that somebody could have: expected ',
  },
  {
    code: 'INVALID_GRAPHQL',
    name: 'a directive is given null where its argument takes none',
    subgraphs: { a: 'directive @x(c: Int!) on FIELD_DEFINITION type Query { a: Int @x(‹c: null›) }' },
    says: '[a] Invalid value of "@x(c:)" on "Query.a": "Int!" cannot be null.',
  },
  {
    code: 'INVALID_GRAPHQL',
    name: 'a directive is given null inside an input object',
    subgraphs: {
      a: 'input In { a: [Int!] } directive @x(c: [In!]) on ENUM_VALUE type Query { a: E } enum E { A @x(c: [{ a: 1 }, { a: [1, ‹null›] }]) }',
    },
    says: '[a] Invalid value of "@x(c:)" on "E.A": "Int!" cannot be null.',
  },
  {
    code: 'INVALID_GRAPHQL',
    name: 'two directives are given literals of other types, beside a null that fits',
    subgraphs: {
      a: 'directive @x(c: Int) repeatable on FIELD_DEFINITION type Query { a: Int @x(‹c: "1"›) @x(c: null) b(c: Int): Int @x(‹c: A›) }',
    },
    errors: 2,
    says: 'expected a value of type "Int", found ',
  },
  {
    code: 'KEY_FIELDS_SELECT_INVALID_TYPE',
    name: 'a key selects a field of a union',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id ‹u› { ... on X { x } }") { id: ID! u: U } union U = X type X { x: Int }`,
    },
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key selects something below a leaf',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "in { ‹id› { x } }") { in: In! } type In { id: ID! }`,
    },
    says: 'selects fields below "In.id", which has none; select it alone.',
  },
  {
    code: 'REQUIRES_INVALID_FIELDS',
    name: 'a requirement selects something below a leaf',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! e: E @external x: Int @requires(fields: "‹e› { x }") } enum E { A }`,
      b: `${F} type T @key(fields: "id") { id: ID! e: E } enum E { A }`,
    },
  },
  {
    code: 'PROVIDES_INVALID_FIELDS',
    name: 'a provision selects something below a leaf',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "‹x› { y }") } type T @key(fields: "id") { id: ID! x: Int @external }`,
      b: `${F} type T @key(fields: "id") { id: ID! x: Int @shareable }`,
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
    code: 'INVALID_GRAPHQL',
    name: 'a type has a name of the join specification',
    subgraphs: { a: 'type Query { a: join__Graph } enum ‹join__Graph› { A }' },
    says: 'Name "join__Graph" begins as the names that supergraphs have for themselves',
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    name: 'a composed directive is called as one of federation that the graph uses',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@composeDirective"]) @link(url: "https://x.test/tag/v1.0", import: ["@tag"]) @composeDirective(name: "@tag") directive @‹tag›(w: Int) on FIELD_DEFINITION type Query { a: Int @tag(w: 1) }',
      b: `${F} type Query { b: Int @tag(name: "x") }`,
    },
    says: 'import it under another name by "as"',
  },
]

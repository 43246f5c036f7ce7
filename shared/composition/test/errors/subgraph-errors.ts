/** Mistakes within one subgraph. */
import { type ErrorSet, F } from './error-set.ts'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'

export const subgraphErrors: readonly ErrorSet[] = [
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key selects a field that the type does not have',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: "id ‹nope›") { id: ID! }` },
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key selects a field that an inner type does not have',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "{ id in { nope: x, ‹nope› } }") { id: ID! nope: ID in: In! } type In { x: Int }`,
    },
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key is no selection',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: ‹"id }"›) { id: ID! }` },
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key in a block string selects an unknown field',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: ‹"""id nope"""›) { id: ID! }` },
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key under another name selects an unknown field',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [{ name: "@key", as: "@identity" }]) type Query { t: T } type T @identity(fields: "id ‹nope›") { id: ID! }',
    },
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key applies an unknown directive',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: "id ‹@nope›") { id: ID! }` },
  },
  {
    code: 'KEY_INVALID_FIELDS_TYPE',
    name: 'a key is not given as text',
    subgraphs: { a: `${F} type Query { t: T } type T ‹@key(fields: id)› { id: ID! }` },
  },
  {
    code: 'KEY_DIRECTIVE_IN_FIELDS_ARG',
    name: 'a key applies a directive',
    subgraphs: {
      a: `${F} directive @mine on FIELD type Query { t: T } type T @key(fields: "id ‹@mine›") { id: ID! }`,
    },
  },
  {
    code: 'KEY_FIELDS_HAS_ARGS',
    name: 'a key selects a field with arguments',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: "‹id›") { id(x: Int): ID! }` },
  },
  {
    code: 'KEY_FIELDS_SELECT_INVALID_TYPE',
    name: 'a key selects a field of an interface type',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "‹i› { x }") { i: I! } interface I { x: Int } type X implements I { x: Int }`,
    },
  },
  {
    code: 'INTERFACE_KEY_NOT_ON_IMPLEMENTATION',
    name: 'a key of an interface is not one of its types',
    subgraphs: {
      a: `${F} type Query { i: I } interface I ‹@key(fields: "id")› { id: ID! } type ‹X› implements I { id: ID! }`,
    },
    labels: ['', 'no such @key here'],
  },
  {
    code: 'KEY_UNSUPPORTED_ON_INTERFACE',
    name: 'a key of an interface before Federation 2.3',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"]) type Query { i: I } interface I ‹@key(fields: "id")› { id: ID! } type X implements I @key(fields: "id") { id: ID! }',
    },
  },
  {
    code: 'REQUIRES_INVALID_FIELDS',
    name: 'a requirement selects an unknown field',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! x: Int @requires(fields: "‹nope›") }`,
    },
  },
  {
    code: 'REQUIRES_INVALID_FIELDS_TYPE',
    name: 'a requirement is not given as text',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! x: Int ‹@requires(fields: 1)› }`,
    },
  },
  {
    code: 'REQUIRES_DIRECTIVE_IN_FIELDS_ARG',
    name: 'a requirement applies a directive',
    subgraphs: {
      a: `${F} directive @mine(a: String) on FIELD type Query { t: T } type T @key(fields: "id") { id: ID! y: Int @external x: Int @requires(fields: ‹"y @mine(a: \\"x\\")"›) }`,
    },
  },
  {
    code: 'REQUIRES_FIELDS_MISSING_EXTERNAL',
    name: 'a requirement selects a field that the subgraph resolves itself',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! y: Int x: Int @requires(fields: "‹y›") }`,
    },
  },
  {
    code: 'REQUIRES_UNSUPPORTED_ON_INTERFACE',
    name: 'a requirement of a field of an interface',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { id: ID! x: Int ‹@requires(fields: "id")› } type X implements I { id: ID! x: Int }`,
    },
  },
  {
    code: 'PROVIDES_INVALID_FIELDS',
    name: 'a provision selects an unknown field',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "‹nope›") } type T @key(fields: "id") { id: ID! }`,
    },
  },
  {
    code: 'PROVIDES_INVALID_FIELDS',
    name: 'a provision selects nothing of an object',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "‹u›") } type T @key(fields: "id") { id: ID! u: U @external } type U { x: Int }`,
    },
  },
  {
    code: 'PROVIDES_INVALID_FIELDS_TYPE',
    name: 'a provision is not given as text',
    subgraphs: { a: `${F} type Query { t: T ‹@provides(fields: 1)› } type T @key(fields: "id") { id: ID! }` },
  },
  {
    code: 'PROVIDES_DIRECTIVE_IN_FIELDS_ARG',
    name: 'a provision applies a directive',
    subgraphs: {
      a: `${F} directive @mine on FIELD type Query { t: T @provides(fields: "x ‹@mine›") } type T @key(fields: "id") { id: ID! x: Int @external }`,
    },
  },
  {
    code: 'PROVIDES_FIELDS_HAS_ARGS',
    name: 'a provision selects a field with arguments',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "‹x›") } type T @key(fields: "id") { id: ID! x(a: Int): Int @external }`,
    },
  },
  {
    code: 'PROVIDES_FIELDS_MISSING_EXTERNAL',
    name: 'a provision selects a field that the subgraph resolves itself',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "‹x›") } type T @key(fields: "id") { id: ID! x: Int }`,
    },
  },
  {
    code: 'PROVIDES_ON_NON_OBJECT_FIELD',
    name: 'a provision below a leaf',
    subgraphs: { a: `${F} type Query { x: Int ‹@provides(fields: "y")› }` },
  },
  {
    code: 'PROVIDES_UNSUPPORTED_ON_INTERFACE',
    name: 'a provision of a field of an interface',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { t: T ‹@provides(fields: "x")› } type X implements I { t: T } type T @key(fields: "id") { id: ID! x: Int @external } extend type Query { t: T @provides(fields: "x") }`,
    },
  },
  {
    code: 'EXTERNAL_UNUSED',
    name: 'an external field that nothing uses',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! x: Int ‹@external› }`,
      b: `${F} type T @key(fields: "id") { id: ID! x: Int }`,
    },
  },
  {
    code: 'MERGED_DIRECTIVE_APPLICATION_ON_EXTERNAL',
    name: 'an external field is tagged',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "x") } type T @key(fields: "id") { id: ID! x: Int @external ‹@tag(name: "t")› }`,
    },
  },
  ...['@authenticated', '@requiresScopes(scopes: [["s"]])', '@policy(policies: [["p"]])'].flatMap(
    (directive): readonly ErrorSet[] => [
      {
        code: 'AUTH_REQUIREMENTS_APPLIED_ON_INTERFACE',
        name: `${directive} on an interface`,
        subgraphs: {
          a: `${F} type Query { i: I } interface I ‹${directive}› { x: Int } type X implements I { x: Int }`,
        },
      },
      {
        code: 'AUTH_REQUIREMENTS_APPLIED_ON_INTERFACE',
        name: `${directive} on a field of an interface`,
        subgraphs: {
          a: `${F} type Query { i: I } interface I { x: Int ‹${directive}› } type X implements I { x: Int }`,
        },
      },
      {
        code: 'AUTH_REQUIREMENTS_APPLIED_ON_INTERFACE',
        name: `${directive} on an interface object`,
        subgraphs: {
          a: `${F} type Query { i: I } type I @key(fields: "id") @interfaceObject ‹${directive}› { id: ID! }`,
        },
      },
    ],
  ),
  {
    code: 'COST_APPLIED_TO_INTERFACE_FIELD',
    name: 'a cost of a field of an interface',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { x: Int ‹@cost(weight: 3)› } type X implements I { x: Int }`,
    },
  },
  {
    code: 'COST_APPLIED_TO_INTERFACE_FIELD',
    name: 'a cost of an argument of a field of an interface',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { x(a: Int ‹@cost(weight: 3)›): Int } type X implements I { x(a: Int): Int }`,
    },
  },
  {
    code: 'LIST_SIZE_INVALID_ASSUMED_SIZE',
    name: 'an assumed size below zero',
    subgraphs: { a: `${F} type Query { l: [Int] ‹@listSize(assumedSize: -1)› }` },
  },
  {
    code: 'LIST_SIZE_INVALID_SLICING_ARGUMENT',
    name: 'a slicing argument that does not exist',
    subgraphs: { a: `${F} type Query { l: [Int] ‹@listSize(slicingArguments: ["first"])› }` },
  },
  {
    code: 'LIST_SIZE_INVALID_SLICING_ARGUMENT',
    name: 'a slicing argument that is no number',
    subgraphs: { a: `${F} type Query { l(first: String): [Int] ‹@listSize(slicingArguments: ["first"])› }` },
  },
  {
    code: 'LIST_SIZE_INVALID_SIZED_FIELD',
    name: 'a sized field that does not exist',
    subgraphs: { a: `${F} type Query { l: L ‹@listSize(sizedFields: ["nope"])› } type L { edges: [Int] }` },
  },
  {
    code: 'LIST_SIZE_APPLIED_TO_NON_LIST',
    name: 'a sized field that is no list',
    subgraphs: { a: `${F} type Query { l: L ‹@listSize(sizedFields: ["edges"])› } type L { edges: Int }` },
  },
  {
    code: 'LIST_SIZE_INVALID_SLICING_ARGUMENT',
    name: 'slicing arguments that are no names',
    subgraphs: { a: `${F} type Query { l(first: Int): [Int] @listSize(‹slicingArguments: [1]›) }` },
  },
  {
    code: 'LIST_SIZE_INVALID_SIZED_FIELD',
    name: 'sized fields that are no names',
    subgraphs: { a: `${F} type Query { l: [Int] @listSize(‹sizedFields: [1]›) }` },
  },
  {
    code: 'LIST_SIZE_INVALID_ASSUMED_SIZE',
    name: 'an assumed size that is no number',
    subgraphs: { a: `${F} type Query { l: [Int] @listSize(‹assumedSize: "2"›) }` },
  },
  {
    code: 'LIST_SIZE_INVALID_REQUIRE_ONE_SLICING_ARGUMENT',
    name: 'a demand for a slicing argument that is neither true nor false',
    subgraphs: {
      a: `${F} type Query { l(first: Int): [Int] @listSize(slicingArguments: ["first"], ‹requireOneSlicingArgument: 1›) }`,
    },
  },
  {
    code: 'INVALID_LINK_DIRECTIVE_USAGE',
    name: 'an interface object before Federation 2.3',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.2", import: ["@key"]) type Query { i: I } type I @key(fields: "id") ‹@federation__interfaceObject› { id: ID! }',
    },
  },
  {
    code: 'OVERRIDE_ON_INTERFACE',
    name: 'a field of an interface is overridden',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { x: Int ‹@override(from: "b")› } type X implements I { x: Int }`,
    },
  },
  {
    code: 'OVERRIDE_FROM_SELF_ERROR',
    name: 'a field is overridden from its own subgraph',
    subgraphs: { a: `${F} type Query { x: Int ‹@override(from: "a")› }` },
  },
  {
    code: 'OVERRIDE_LABEL_INVALID',
    name: 'a label of an override is not one',
    subgraphs: { a: `${F} type Query { x: Int ‹@override(from: "b", label: "1 2")› }` },
  },
  {
    code: 'OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE',
    name: 'an external field is overridden',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "x") } type T @key(fields: "id") { id: ID! x: Int ‹@external› ‹@override(from: "b")› }`,
    },
  },
  {
    code: 'INVALID_SHAREABLE_USAGE',
    name: 'a field of an interface is shareable',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { x: Int ‹@shareable› } type X implements I { x: Int }`,
    },
  },
  {
    code: 'INTERFACE_OBJECT_USAGE_ERROR',
    name: 'an interface object without a key',
    subgraphs: { a: `${F} type Query { i: I } type I ‹@interfaceObject› { id: ID! }` },
  },
  {
    code: 'QUERY_ROOT_TYPE_INACCESSIBLE',
    name: 'the query root is hidden',
    subgraphs: { a: `${F} type ‹Query› @inaccessible { x: Int }` },
  },
  {
    code: 'ROOT_QUERY_USED',
    name: 'a type has the name of a root type and is none',
    subgraphs: { a: `${F} schema { query: Root } type Root { x: Query } type ‹Query› { x: Int }` },
  },
  {
    code: 'DIRECTIVE_DEFINITION_INVALID',
    name: 'a definition of @key of its own lacks an argument',
    subgraphs: { a: `${F} directive @‹key› on OBJECT type Query { x: Int }` },
  },
  {
    code: 'TYPE_DEFINITION_INVALID',
    name: 'FieldSet is no scalar',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "FieldSet"]) type Query { x: Int } type ‹FieldSet› { x: Int }',
    },
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    name: 'a composed directive is of no linked specification',
    subgraphs: {
      a: `${F} extend schema ‹@composeDirective(name: "@mine")› directive @mine on FIELD_DEFINITION type Query { x: Int @mine }`,
    },
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    name: 'a composed directive is defined nowhere',
    subgraphs: {
      a: `${F} extend schema ‹@composeDirective(name: "@mine")› @link(url: "https://example.test/mine/v1.0", import: ["@mine"]) type Query { x: Int }`,
    },
  },
  {
    code: 'INVALID_LINK_DIRECTIVE_USAGE',
    name: 'an unknown element is imported',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", ‹"@nope"›]) type Query { x: Int }',
    },
  },
  {
    code: 'INVALID_LINK_DIRECTIVE_USAGE',
    name: 'a specification is linked twice',
    subgraphs: {
      a: `${LINK.replace('url: "https://specs.apollo.dev/federation/v2.9"', 'url: ‹"https://specs.apollo.dev/federation/v2.9"›')} @link(url: ‹"https://specs.apollo.dev/federation/v2.8"›) type Query { x: Int }`,
    },
  },
  {
    code: 'INVALID_LINK_IDENTIFIER',
    name: 'a link without a version',
    subgraphs: {
      a: 'extend schema @link(url: ‹"https://specs.apollo.dev/federation"›) type Query { x: Int }',
    },
  },
  {
    code: 'UNKNOWN_FEDERATION_LINK_VERSION',
    name: 'a version of the federation specification that nobody knows',
    subgraphs: {
      a: 'extend schema @link(url: ‹"https://specs.apollo.dev/federation/v2.99"›) type Query { x: Int }',
    },
    says: 'Federation v2.99 is not known here; known are v2.0 to v2.15, and Federation 1 (no @link). Link v2.15 if',
  },
  {
    code: 'UNKNOWN_FEDERATION_LINK_VERSION',
    name: 'the specification of composite schemas',
    subgraphs: {
      a: 'extend schema @link(url: ‹"https://specs.graphql.org/federation/v1.0"›) type Query { x: Int }',
      b: 'extend schema @link(url: ‹"https://example.com/composite-schemas/v1"›, import: ["@key"]) type Query { y: Int }',
    },
    errors: 2,
    says: 'The GraphQL Federation specification (composite schemas, with @lookup and @require) is not known here',
  },
  {
    code: 'UNKNOWN_FEDERATION_LINK_VERSION',
    name: 'directives of composite schemas, linked from anywhere',
    subgraphs: {
      a: `${F} extend schema @link(url: ‹"https://example.com/specs/v1.0"›, import: ["@lookup"])
        type Query { x(id: ID!): T @lookup } type T { id: ID! }`,
    },
    says: 'a @key, resolved by the field "_entities", does what @lookup does',
  },
  {
    code: 'UNKNOWN_LINK_VERSION',
    name: 'a version of another specification that nobody knows',
    subgraphs: {
      a: `${LINK} @link(url: ‹"https://specs.apollo.dev/link/v9.9"›) type Query { x: Int }`,
    },
  },
  {
    code: 'OVERRIDE_FROM_SELF_ERROR',
    name: 'a field of an interface is overridden from its own subgraph, before interfaces were looked at',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.1", import: ["@override"]) type Query { i: I } interface I { x: Int ‹@override(from: "a")› } type X implements I { x: Int }',
    },
  },
  {
    code: 'DIRECTIVE_DEFINITION_INVALID',
    name: 'a key of Federation 1 is defined with a scalar that Federation 1 does not have',
    subgraphs: {
      a: 'directive @‹key›(fields: FieldSet!) on OBJECT scalar FieldSet type Query { t: T } type T @key(fields: "id") { id: ID! }',
    },
  },
]

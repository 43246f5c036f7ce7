/** Subgraphs that do not fit each other. */
import { type ErrorSet, F } from './error-set.ts'

export const mergeErrors: readonly ErrorSet[] = [
  {
    code: 'FIELD_TYPE_MISMATCH',
    name: 'a shared field has different types',
    subgraphs: {
      a: `${F} type Query { x: ‹Int› @shareable }`,
      b: `${F} type Query { x: ‹String!› @shareable }`,
    },
    labels: ['Int here', 'String! here'],
  },
  {
    code: 'FIELD_TYPE_MISMATCH',
    name: 'the key of an extension has another type than the key of the owner',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ‹ID!› }`,
      b: `${F} extend type T @key(fields: "id") { id: ‹Int!› @external x: Int }`,
    },
    labels: ['ID! here', 'Int! here, @external'],
  },
  {
    code: 'FIELD_TYPE_MISMATCH',
    name: 'an external field differs besides two others that differ',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! x: ‹Int› @shareable }`,
      b: `${F} type T @key(fields: "id") { id: ID! x: ‹String› @shareable }`,
      c: `${F} type T @key(fields: "id") { id: ID! x: ‹Int› @external y: Int @requires(fields: "x") }`,
    },
    labels: ['Int here', 'String here', 'Int here, @external'],
  },
  {
    code: 'FIELD_TYPE_MISMATCH',
    name: 'an input field has different types',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input In { x: ‹Int› }`,
      b: `${F} type Query { b(i: In): Int } input In { x: ‹[Int]› }`,
    },
    labels: ['Int here', '[Int] here'],
  },
  {
    code: 'FIELD_ARGUMENT_TYPE_MISMATCH',
    name: 'an argument has different types',
    subgraphs: {
      a: `${F} type Query { x(a: ‹Int›): Int @shareable }`,
      b: `${F} type Query { x(a: ‹ID›): Int @shareable }`,
    },
    labels: ['Int here', 'ID here'],
  },
  {
    code: 'FIELD_ARGUMENT_TYPE_MISMATCH',
    name: 'an argument of an executable directive has different types',
    subgraphs: {
      a: `${F} type Query { a: Int } directive @d(a: ‹Int›) on FIELD`,
      b: `${F} type Query { b: Int } directive @d(a: ‹ID›) on FIELD`,
    },
    labels: ['Int here', 'ID here'],
    alone: true,
  },
  {
    code: 'FIELD_ARGUMENT_DEFAULT_MISMATCH',
    name: 'an argument has different defaults',
    subgraphs: {
      a: `${F} type Query { x(a: Int = ‹1›): Int @shareable }`,
      b: `${F} type Query { x(a: Int = ‹2›): Int @shareable }`,
    },
    labels: ['1 here', '2 here'],
  },
  {
    code: 'INPUT_FIELD_DEFAULT_MISMATCH',
    name: 'an input field has different defaults',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input In { x: Int = ‹1› }`,
      b: `${F} type Query { b(i: In): Int } input In { ‹x›: Int }`,
      c: `${F} type Query { c(i: In): Int } input In { x: Int = ‹2› }`,
    },
    labels: ['1 here', 'no default here', '2 here'],
  },
  {
    code: 'EXTERNAL_TYPE_MISMATCH',
    name: 'an external field has another type than the one that is resolved',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "x") } type T @key(fields: "id") { id: ID! x: ‹Int› @external }`,
      b: `${F} type T @key(fields: "id") { id: ID! x: ‹String› @shareable }`,
    },
    labels: ['Int here, @external', 'String here'],
  },
  {
    code: 'EXTERNAL_ARGUMENT_MISSING',
    name: 'an external field lacks an argument',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "u { y }") } type T @key(fields: "id") { id: ID! ‹x›: Int @external z: Int @requires(fields: "x") u: U } type U { y: Int @external }`
        .replace(' @provides(fields: "u { y }")', '')
        .replace(' u: U } type U { y: Int @external', ''),
      b: `${F} type T @key(fields: "id") { id: ID! x(‹a›: Int): Int }`,
    },
    labels: ['no argument "a" here', 'declared here'],
  },
  {
    code: 'EXTERNAL_MISSING_ON_BASE',
    name: 'a field is external wherever it is',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! x: Int ‹@external› y: Int @requires(fields: "x") }`,
      b: `${F} type T @key(fields: "id") { id: ID! x: Int ‹@external› z: Int @requires(fields: "x") }`,
    },
  },
  {
    code: 'TYPE_KIND_MISMATCH',
    name: 'a type is of different kinds',
    subgraphs: { a: `${F} type Query { a: T } enum ‹T› { A }`, b: `${F} type Query { b: T } scalar ‹T›` },
    labels: ['enum here', 'scalar here'],
  },
  {
    code: 'EXTENSION_WITH_NO_BASE',
    name: 'a type is extended and nowhere defined',
    subgraphs: { a: `${F} type Query { a: T } extend type ‹T› { x: Int }` },
  },
  {
    code: 'REQUIRED_ARGUMENT_MISSING_IN_SOME_SUBGRAPH',
    name: 'a required argument is missing elsewhere',
    subgraphs: {
      a: `${F} type Query { x(limit: ‹Int!›): Int @shareable }`,
      b: `${F} type Query { ‹x›: Int @shareable }`,
      c: `${F} type Query { x(limit: Int): Int @shareable }`,
    },
    labels: ['required here', 'no argument "limit" here'],
  },
  {
    code: 'REQUIRED_INPUT_FIELD_MISSING_IN_SOME_SUBGRAPH',
    name: 'a required input field is missing elsewhere',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input In { x: Int y: ‹Int!› }`,
      b: `${F} type Query { b(i: In): Int } input ‹In› { x: Int }`,
    },
    labels: ['required here', 'no field "y" here'],
  },
  {
    code: 'ENUM_VALUE_MISMATCH',
    name: 'an enum that is input and output has other values elsewhere',
    subgraphs: {
      a: `${F} type Query { a(e: E): E } enum E { SAME ‹ONLY› }`,
      b: `${F} type Query { b: E } enum ‹E› { SAME }`,
    },
    labels: ['defined here', 'no value "ONLY" here'],
  },
  {
    code: 'EMPTY_MERGED_ENUM_TYPE',
    name: 'input enums have no value in common',
    subgraphs: {
      a: `${F} type Query { a(e: E): Int } enum ‹E› { A B }`,
      b: `${F} type Query { b(e: E): Int } enum ‹E› { C }`,
    },
    labels: ['A, B here', 'C here'],
  },
  {
    code: 'EMPTY_MERGED_INPUT_TYPE',
    name: 'input types have no field in common',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input ‹In› { a: Int }`,
      b: `${F} type Query { b(i: In): Int } input ‹In› { b: Int c: Int d: Int e: Int f: Int g: Int }`,
    },
    labels: ['a here', 'b, c, d, e, f, … here'],
  },
  {
    code: 'INVALID_FIELD_SHARING',
    name: 'a field is resolved twice and shareable once',
    subgraphs: {
      a: `${F} type Query { ‹x›: Int @shareable }`,
      b: `${F} type Query { ‹x›: Int }`,
    },
    labels: ['@shareable here', 'not @shareable here'],
  },
  {
    code: 'INVALID_FIELD_SHARING',
    name: 'a subgraph is called like the type and another like the field',
    subgraphs: {
      T: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! ‹x›: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! ‹x›: Int }`,
      'T.x': `${F} type Query { other: Int }`,
    },
    labels: ['not @shareable here', 'not @shareable here'],
  },
  {
    code: 'INVALID_FIELD_SHARING',
    name: 'a key is forgotten',
    subgraphs: {
      a: `${F} type Query { t: T } type T ‹@key(fields: "id")› { ‹id›: ID! }`,
      b: `${F} type ‹T› { ‹id›: ID! x: Int }`,
    },
    labels: ['the @key of "T"', 'part of a @key here', '"T" has no @key here', 'not @shareable here'],
    says: 'add @key(fields: "id") to "T" in subgraph "b".',
  },
  {
    code: 'INVALID_FIELD_SHARING',
    name: 'a field is resolved by its type and through an interface object',
    subgraphs: {
      a: `${F} type Query { i: I } interface I @key(fields: "id") { id: ID! } type X implements I @key(fields: "id") { id: ID! ‹x›: Int }`,
      b: `${F} type I @key(fields: "id") @interfaceObject { id: ID! ‹x›: Int }`,
    },
    labels: ['not @shareable here', 'not @shareable here'],
  },
  {
    code: 'INVALID_FIELD_SHARING',
    name: 'a subscription is in two subgraphs',
    subgraphs: {
      a: `${F} type Query { a: Int } type Subscription { ‹x›: Int @shareable y: Int }`,
      b: `${F} type Query { b: Int } type Subscription { ‹x›: Int @shareable z: Int }`,
    },
    labels: ['resolved here', 'resolved here'],
    says: '"Subscription.x"',
  },
  {
    code: 'INTERFACE_FIELD_NO_IMPLEM',
    name: 'a type lacks a field that another subgraph gives its interface',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { x: Int ‹y›: Int } type A implements I { x: Int y: Int }`,
      b: `${F} type Query { b: I } interface I { x: Int } type ‹B› implements I { x: Int }`,
    },
    labels: ['declared here', 'no field "y" here'],
  },
  {
    code: 'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE',
    name: 'a subgraph has a key of an interface and does not know all its types',
    subgraphs: {
      a: `${F} type Query { i: I } interface I ‹@key(fields: "id")› { id: ID! } type X implements I @key(fields: "id") { id: ID! }`,
      b: `${F} type Query { b: I } interface I { id: ID! } type ‹Y› implements I @key(fields: "id") { id: ID! }`,
      c: `${F} type I @key(fields: "id") @interfaceObject { id: ID! z: Int }`,
    },
    labels: ['', 'implements "I" here'],
  },
  {
    code: 'INTERFACE_OBJECT_USAGE_ERROR',
    name: 'an interface object is an interface nowhere',
    subgraphs: {
      a: `${F} type Query { i: I } type I @key(fields: "id") ‹@interfaceObject› { id: ID! }`,
    },
  },
  {
    code: 'REQUIRES_INVALID_FIELDS',
    name: 'a requirement has a fragment on a type that no subgraph defines',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: N } interface N { id: ID! } type X implements N { id: ID! x: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: N @external s: Int @requires(fields: "n { id ... on X { x } ... on ‹Y› { y } }") }
        interface N { id: ID! } type X implements N { id: ID! @external x: Int @external }`,
    },
    says: 'has a fragment on "Y", which is no object type, interface or union of any subgraph',
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key has a fragment on a type that no subgraph defines',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: "id ... on ‹Z› { k }") { id: ID! }` },
    says: 'has a fragment on "Z"',
  },
  {
    code: 'PROVIDES_INVALID_FIELDS',
    name: 'a provision has a fragment on a type that no subgraph defines',
    subgraphs: {
      a: `${F} type Query { t: T @provides(fields: "n ... on ‹Z› { k }") } type T @key(fields: "id") { id: ID! n: Int @external }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int @shareable }`,
    },
    says: 'has a fragment on "Z"',
  },
  {
    code: 'INTERFACE_OBJECT_USAGE_ERROR',
    name: 'an interface lacks what an interface object gives to one that it implements',
    subgraphs: {
      a: `${F} type Query { n: Node } interface Node @key(fields: "id") { id: ID! }
        interface ‹Product› implements Node { id: ID! } type Book implements Node & Product @key(fields: "id") { id: ID! }`,
      b: `${F} type Node @key(fields: "id") ‹@interfaceObject› { id: ID! rating: Int }`,
    },
    says: 'Interface "Product" implements "Node", which is an @interfaceObject elsewhere',
  },
  {
    code: 'INVALID_GRAPHQL',
    name: 'an interface and its type have fields that do not fit after the merge',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { x: ‹Int!› } type A implements I { x: ‹Int!› @shareable }`,
      b: `${F} type Query { b: A } type A { x: ‹Int› @shareable }`,
    },
    labels: ['Int! here', 'Int! here', 'Int here'],
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    name: 'a composed directive is imported under different names',
    subgraphs: {
      a: `${F} extend schema @link(url: "https://example.test/mine/v1.0", import: [‹"@mine"›]) @composeDirective(name: "@mine") directive @mine on FIELD_DEFINITION type Query { a: Int @mine }`,
      b: `${F} extend schema @link(url: "https://example.test/mine/v1.0", import: [‹{ name: "@mine", as: "@yours" }›]) @composeDirective(name: "@yours") directive @yours on FIELD_DEFINITION type Query { b: Int @yours }`,
    },
  },
  {
    code: 'INVALID_GRAPHQL',
    name: 'a field has a type that routers take for a part of a composed directive',
    subgraphs: {
      a: `${F} extend schema @link(url: "https://example.test/mine/v1.0", import: ["@mine"]) @composeDirective(name: "@mine") directive @mine(level: mine__Level) on FIELD_DEFINITION enum mine__Level { LOW } scalar ‹mine__Text› type Query { a: Int @mine(level: LOW) b: mine__Text }`,
    },
    says: 'Name "mine__Text" begins as the types of a specification that brings a composed directive',
  },
  {
    code: 'LINK_IMPORT_NAME_MISMATCH',
    name: 'a cost directive has another name in a subgraph with a @cost of its own',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", ‹"@cost"›]) type Query { a: Int @cost(weight: 2) }',
      b: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [‹{ name: "@cost", as: "@price" }›]) directive @cost on FIELD_DEFINITION type Query { b: Int @price(weight: 2) c: Int @cost }',
    },
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    name: 'a composed specification is linked in two major versions',
    subgraphs: {
      a: `${F} extend schema ‹@link(url: "https://example.test/mine/v1.0", import: ["@mine"])› @composeDirective(name: "@mine") directive @mine on FIELD_DEFINITION type Query { a: Int @mine }`,
      b: `${F} extend schema ‹@link(url: "https://example.test/mine/v2.0", import: ["@mine"])› @composeDirective(name: "@mine") directive @mine on FIELD_DEFINITION type Query { b: Int @mine }`,
    },
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    name: 'a composed directive is of different specifications',
    subgraphs: {
      a: `${F} extend schema @link(url: "https://example.test/mine/v1.0", import: [‹"@mine"›]) @composeDirective(name: "@mine") directive @mine on FIELD_DEFINITION type Query { a: Int @mine }`,
      b: `${F} extend schema @link(url: "https://example.test/other/v1.0", import: [‹"@mine"›]) @composeDirective(name: "@mine") directive @mine on FIELD_DEFINITION type Query { b: Int @mine }`,
    },
  },
  {
    code: 'LIST_SIZE_INVALID_SLICING_ARGUMENT',
    name: 'no slicing argument is in all subgraphs',
    subgraphs: {
      a: `${F} type Query { l(first: Int): [Int] @shareable ‹@listSize(slicingArguments: ["first"])› }`,
      b: `${F} type Query { ‹l›: [Int] @shareable }`,
    },
  },
  {
    code: 'IMPLEMENTED_BY_INACCESSIBLE',
    name: 'a hidden field implements a visible one',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { ‹x›: Int y: Int } type A implements I { x: Int ‹@inaccessible› y: Int }`,
    },
  },
  {
    code: 'ONLY_INACCESSIBLE_CHILDREN',
    name: 'a visible type has hidden fields only',
    subgraphs: {
      a: `${F} type Query { t: T } type ‹T› { x: Int @inaccessible }`,
      b: `${F} type Query { u: T } type ‹T› { y: Int @inaccessible }`,
    },
  },
  {
    code: 'OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE',
    name: 'a field with a requirement is moved under a label',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! r: Int @external x: Int ‹@requires(fields: "r")› }`,
      b: `${F} type T @key(fields: "id") { id: ID! x: Int ‹@override(from: "a", label: "percent(5)")› }`,
      c: `${F} type T @key(fields: "id") { id: ID! r: Int }`,
    },
  },
  {
    code: 'OVERRIDE_SOURCE_HAS_OVERRIDE',
    name: 'an overriding field is overridden',
    subgraphs: {
      a: `${F} type Query { x: Int ‹@override(from: "b")› }`,
      b: `${F} type Query { x: Int ‹@override(from: "c")› }`,
      c: `${F} type Query { x: Int }`,
    },
  },
  {
    code: 'REFERENCED_INACCESSIBLE',
    name: 'a visible field has a hidden type',
    subgraphs: {
      a: `${F} type Query { t: ‹T› } type T ‹@inaccessible› { x: Int }`,
      b: `${F} type Query { b: Int } type T { y: Int }`,
    },
    labels: ['used here', ''],
  },
  {
    code: 'REFERENCED_INACCESSIBLE',
    name: 'a visible argument has a hidden type',
    subgraphs: { a: `${F} type Query { t(i: ‹In›): Int } input In ‹@inaccessible› { x: Int }` },
    labels: ['used here', ''],
  },
  {
    code: 'REQUIRED_INACCESSIBLE',
    name: 'a hidden argument is required',
    subgraphs: {
      a: `${F} type Query { x(a: Int ‹@inaccessible›): Int @shareable }`,
      b: `${F} type Query { x(a: ‹Int!›): Int @shareable }`,
    },
    labels: ['', 'required here'],
  },
  {
    code: 'DEFAULT_VALUE_USES_INACCESSIBLE',
    name: 'a default is a hidden value',
    subgraphs: {
      a: `${F} type Query { x(e: E = ‹A›): Int } enum E { A ‹@inaccessible› B }`,
    },
    labels: ['A here', ''],
  },
  {
    code: 'INVALID_GRAPHQL',
    name: 'a directive may stand nowhere in all subgraphs',
    subgraphs: {
      a: `${F} extend schema @link(url: "https://example.test/mine/v1.0", import: ["@mine"]) @composeDirective(name: "@mine") directive @‹mine› on OBJECT type Query @mine { a: Int }`,
      b: `${F} extend schema @link(url: "https://example.test/mine/v1.0", import: ["@mine"]) @composeDirective(name: "@mine") directive @‹mine› on ENUM type Query { b: E } enum E @mine { A }`,
    },
    labels: ['on OBJECT here', 'on ENUM here'],
  },
  {
    code: 'MISSING_TRANSITIVE_AUTH_REQUIREMENTS',
    name: 'a field requires one that needs authentication',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! s: Int @external x: Int ‹@requires(fields: "s")› }`,
      b: `${F} type T @key(fields: "id") { id: ID! s: Int ‹@authenticated› }`,
    },
  },
  {
    code: 'NO_QUERIES',
    name: 'there is no query',
    subgraphs: { a: `${F} type T @key(fields: "id") { id: ID! }` },
    alone: true,
  },
]

import { type CompositionSet, fed } from './composition-set.ts'

const EVERYWHERE = fed('2.3', '@key @shareable @tag @inaccessible')

const everyLocation = (directive: string) => `
  type Query { o(arg: Int ${directive}): O ${directive} i: I u: U e(v: E): E s(in: In): S keep: Int }
  interface I ${directive} { f(arg: Int ${directive}): Int ${directive} g: Int }
  type O implements I ${directive} { f(arg: Int ${directive}): Int ${directive} g: Int x: Int }
  type P { x: Int }
  union U ${directive} = O | P
  enum E ${directive} { A ${directive} B }
  scalar S ${directive}
  input In ${directive} { a: Int ${directive} b: Int }`

export const tags: readonly CompositionSet[] = [
  {
    name: 'tags are kept in every place',
    subgraphs: { a: EVERYWHERE + everyLocation('@tag(name: "t")') },
    facts: [
      'Query.o(arg:) @tag(name: "t")',
      'Query.o @tag(name: "t")',
      'I @tag(name: "t")',
      'I.f @tag(name: "t")',
      'I.f(arg:) @tag(name: "t")',
      'O @tag(name: "t")',
      'U @tag(name: "t")',
      'E @tag(name: "t")',
      'E.A @tag(name: "t")',
      'S @tag(name: "t")',
      'In @tag(name: "t")',
      'In.a @tag(name: "t")',
    ],
  },
  {
    name: 'tags of all subgraphs are gathered once each',
    subgraphs: {
      a: `${EVERYWHERE} type Query { x: Int @shareable @tag(name: "one") @tag(name: "both") }`,
      b: `${EVERYWHERE} type Query { x: Int @shareable @tag(name: "two") @tag(name: "both") }`,
    },
    facts: ['Query.x @tag(name: "one")', 'Query.x @tag(name: "two")', 'Query.x @tag(name: "both")'],
  },
  {
    name: 'a tag stands on the schema',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@tag"]) @tag(name: "schema") type Query { x: Int }`,
    },
    facts: ['Query.x: Int'],
  },
  {
    name: 'tags are used in Federation 1 schemas',
    subgraphs: {
      a: 'directive @tag(name: String!) repeatable on FIELD_DEFINITION | OBJECT | INTERFACE | UNION type Query { x: Int @tag(name: "one") }',
    },
    facts: ['Query.x @tag(name: "one")'],
  },
  {
    name: 'inaccessible hides in every place',
    subgraphs: {
      a: `${EVERYWHERE}
        type Query { o(arg: Int @inaccessible): O i: I @inaccessible u: U @inaccessible s: S @inaccessible e(v: E): E f(in: In): Int hidden(in: HiddenIn @inaccessible): HiddenE @inaccessible }
        interface I @inaccessible { f: Int }
        type O implements I { f(arg: Int @inaccessible): Int g: Int @inaccessible }
        type P @inaccessible { x: Int }
        union U @inaccessible = O | P
        enum E { A @inaccessible B }
        enum HiddenE @inaccessible { C }
        scalar S @inaccessible
        input In { a: Int @inaccessible b: Int }
        input HiddenIn @inaccessible { a: Int }`,
    },
    facts: [
      'Query.o(arg:) @inaccessible',
      'I @inaccessible',
      'O.g @inaccessible',
      'O.f(arg:) @inaccessible',
      'P @inaccessible',
      'U @inaccessible',
      'E.A @inaccessible',
      'HiddenE @inaccessible',
      'S @inaccessible',
      'In.a @inaccessible',
      'HiddenIn @inaccessible',
    ],
  },
  {
    name: 'a union keeps a hidden member',
    subgraphs: {
      a: `${EVERYWHERE} type Query { u: U } union U = A | B type A { x: Int } type B @inaccessible { y: Int }`,
    },
    facts: ['U @a member A', 'U @a member B', 'B @inaccessible'],
  },
  {
    name: 'one subgraph hides what another declares',
    subgraphs: {
      a: `${EVERYWHERE} type Query { v: V @shareable } type V @shareable { x: Int y: Int }`,
      b: `${EVERYWHERE} type Query { v: V @shareable } type V @shareable { x: Int @inaccessible y: Int }`,
    },
    facts: ['V.x @inaccessible', 'V.x @a'],
  },
  {
    name: 'a visible field of a hidden type is refused',
    subgraphs: { a: `${EVERYWHERE} type Query { t: T x: Int } type T @inaccessible { a: Int }` },
    refused: ['REFERENCED_INACCESSIBLE'],
  },
  {
    name: 'hiding everything of a type is refused',
    subgraphs: { a: `${EVERYWHERE} type Query { t: T } type T { a: Int @inaccessible }` },
    refused: ['ONLY_INACCESSIBLE_CHILDREN'],
  },
  {
    name: 'hiding a required argument is refused',
    subgraphs: { a: `${EVERYWHERE} type Query { t(a: Int! @inaccessible): Int }` },
    refused: ['REQUIRED_INACCESSIBLE'],
  },
  {
    name: 'hiding the query root is refused',
    subgraphs: { a: `${EVERYWHERE} type Query @inaccessible { t: Int }` },
    refused: ['QUERY_ROOT_TYPE_INACCESSIBLE'],
  },
  {
    name: 'hiding a field that a visible interface declares is refused',
    subgraphs: {
      a: `${EVERYWHERE} type Query { i: I } interface I { x: Int } type T implements I { x: Int @inaccessible y: Int }`,
    },
    refused: ['IMPLEMENTED_BY_INACCESSIBLE'],
  },
  {
    name: 'a default that uses a hidden enum value is refused',
    subgraphs: { a: `${EVERYWHERE} type Query { f(e: E = A): Int } enum E { A @inaccessible B }` },
    refused: ['DEFAULT_VALUE_USES_INACCESSIBLE'],
  },
  {
    name: 'a hidden member of a union of several subgraphs',
    subgraphs: {
      a: `${EVERYWHERE} type Query { t: Thing x: User } union Thing = User | Secret type Secret @inaccessible { text: String @shareable } type User @shareable { n: Int }`,
      b: `${EVERYWHERE} type Query { t2: Thing } union Thing = User | Secret type Secret @inaccessible { text: String @shareable } type User @shareable { n: Int }`,
    },
    facts: ['Thing @b member Secret', 'Secret @inaccessible'],
  },
  {
    name: 'an argument is hidden on an interface and on the types that implement it',
    subgraphs: {
      a: `${EVERYWHERE} type Query { i: I } interface I { x(shown: Int, secret: Int = 3 @inaccessible): Int } type T implements I @shareable { x(shown: Int, secret: Int = 3 @inaccessible): Int }`,
      b: `${EVERYWHERE} type Query { j: I } interface I { x(shown: Int, secret: Int = 3 @inaccessible): Int } type T implements I @shareable { x(shown: Int, secret: Int = 3 @inaccessible): Int }`,
    },
    facts: ['I.x(secret:) @inaccessible', 'T.x(secret:) @inaccessible', 'I.x(shown: Int)'],
  },
]

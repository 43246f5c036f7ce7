import { type CompositionSet, fed } from './composition-set.ts'

const F = fed('2.3', '@key @shareable @external @requires @provides @inaccessible')

export const merges: readonly CompositionSet[] = [
  {
    name: 'an enum that is only an output has the values of all subgraphs',
    subgraphs: { a: `${F} type Query { a: E } enum E { A B }`, b: `${F} type Query { b: E } enum E { B C }` },
    facts: ['E.A @a', 'E.B @a', 'E.B @b', 'E.C @b', '!E.A @b'],
  },
  {
    name: 'an enum that is only an input has the values that all subgraphs know',
    subgraphs: {
      a: `${F} type Query { a(e: E): Int } enum E { A B }`,
      b: `${F} type Query { b(e: E): Int } enum E { B C }`,
    },
    facts: ['E.B @a', 'E.B @b', '!E.A @a', '!E.C @b'],
  },
  {
    name: 'an enum that is input and output must be the same everywhere',
    subgraphs: {
      a: `${F} type Query { a(e: E): Int } enum E { A B }`,
      b: `${F} type Query { b: E } enum E { B C }`,
    },
    refused: ['ENUM_VALUE_MISMATCH'],
  },
  {
    name: 'a hidden enum value may be missing in other subgraphs although the enum is input and output',
    subgraphs: {
      a: `${F} type Query { a(e: E): E } enum E { A @inaccessible B }`,
      b: `${F} type Query { b: E } enum E { B }`,
    },
    facts: ['E.A @a', 'E.A @inaccessible', 'E.B @b'],
  },
  {
    name: 'input enums without a common value are refused',
    subgraphs: {
      a: `${F} type Query { a(e: E): Int } enum E { A }`,
      b: `${F} type Query { b(e: E): Int } enum E { B }`,
    },
    refused: ['EMPTY_MERGED_ENUM_TYPE'],
  },
  {
    name: 'an input type has the fields that all subgraphs know, with the stronger nullability',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input In { x: Int! y: Int l: [Int] d: Int = 3 }`,
      b: `${F} type Query { b(i: In): Int } input In { x: Int z: Int l: [Int!]! d: Int = 3 }`,
    },
    facts: ['In.x: Int!', 'In.x @b type(Int)', 'In.l: [Int!]!', '!In.y: Int', '!In.z: Int', 'In.d: Int = 3'],
  },
  {
    name: 'a required input field that another subgraph lacks is refused',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input In { x: Int! y: Int }`,
      b: `${F} type Query { b(i: In): Int } input In { y: Int }`,
    },
    refused: ['REQUIRED_INPUT_FIELD_MISSING_IN_SOME_SUBGRAPH'],
  },
  {
    name: 'input types without a common field are refused',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input In { x: Int }`,
      b: `${F} type Query { b(i: In): Int } input In { y: Int }`,
    },
    refused: ['EMPTY_MERGED_INPUT_TYPE'],
  },
  {
    name: 'defaults of an input field that differ are refused',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input In { x: Int = 1 }`,
      b: `${F} type Query { b(i: In): Int } input In { x: Int = 2 }`,
    },
    refused: ['INPUT_FIELD_DEFAULT_MISMATCH'],
  },
  {
    name: 'a nested input and a list of enums as defaults',
    subgraphs: {
      a: `${F} type Query { a(i: In = { e: [A], s: "x", n: { d: 1.5, b: true, z: null } }): Int } input In { e: [E!] = [A, B] s: String = "q\\"uo" n: In2 } input In2 { d: Float = 1.0 b: Boolean = false z: ID } enum E { A B }`,
    },
    facts: [
      'Query.a(i: In = { e: [A], s: "x", n: { d: 1.5, b: true, z: null } })',
      'In.e: [E!] = [A, B]',
      'In2.d: Float = 1.0',
    ],
  },
  {
    name: 'a list of enum values as the default of an argument, alone and inside of objects',
    subgraphs: {
      a: `${F} type Query { a(e: [E] = [A], i: [In] = [{ e: [A, B] }], s: E = B, n: [E] = null): Int } input In { e: [E!] = [B] } enum E { A B }`,
    },
    facts: [
      'Query.a(e: [E] = [A])',
      'Query.a(i: [In] = [{ e: [A, B] }])',
      'Query.a(s: E = B)',
      'Query.a(n: [E] = null)',
      'In.e: [E!] = [B]',
    ],
  },
  {
    name: 'a default that only some subgraphs give is not published',
    subgraphs: {
      a: `${F} type Query { f(x: Int = 1): Int @shareable }`,
      b: `${F} type Query { f(x: Int): Int @shareable }`,
    },
    facts: ['Query.f(x: Int)', '!Query.f(x: Int = 1)'],
  },
  {
    name: 'a union has the members of all subgraphs',
    subgraphs: {
      a: `${F} type Query { a: U } union U = X | Y type X @key(fields: "id") { id: ID! } type Y @key(fields: "id") { id: ID! }`,
      b: `${F} type Query { b: U } union U = Y | Z type Y @key(fields: "id") { id: ID! } type Z { z: Int }`,
    },
    facts: ['U @a member X', 'U @a member Y', 'U @b member Y', 'U @b member Z', '!U @b member X'],
  },
  {
    name: 'descriptions and deprecations are kept',
    subgraphs: {
      a: `${F} """The root.""" type Query { "one" t("arg" a: Int @deprecated(reason: "no")): T @deprecated(reason: "old") e: E } "A thing." type T @shareable { "x" x: Int @deprecated } "choice" enum E { "first" A @deprecated(reason: "gone") B } "in" input In { "f" f: Int @deprecated(reason: "w") } "s" scalar S extend type Query { i(i: In): S }`,
      b: `${F} type Query { b: T } "A thing." type T @shareable { x: Int }`,
    },
    facts: [
      'Query "The root."',
      'Query.t "one"',
      'Query.t(a:) "arg"',
      'T "A thing."',
      'T.x "x"',
      'E.A "first"',
      'In.f "f"',
      'Query.t @deprecated(reason: "old")',
      'Query.t(a:) @deprecated(reason: "no")',
      'E.A @deprecated(reason: "gone")',
      'In.f @deprecated(reason: "w")',
    ],
  },
  {
    name: 'descriptions that differ: one of them is kept',
    subgraphs: {
      a: `${F} type Query { t: T } "about a" type T @shareable { x: Int }`,
      b: `${F} type Query { u: T } "about b" type T @shareable { x: Int }`,
      c: `${F} type Query { v: T } "about b" type T @shareable { x: Int }`,
    },
    facts: ['T @a'],
  },
  {
    name: 'scalars are merged, with specifiedBy',
    subgraphs: {
      a: `${F} scalar Date @specifiedBy(url: "https://example.test/date") type Query { a: Date }`,
      b: `${F} scalar Date type Query { b(d: Date): Date }`,
    },
    facts: ['Date @a', 'Date @b', 'Date @specifiedBy(url: "https://example.test/date")'],
  },
  {
    name: 'types of different kinds are refused',
    subgraphs: { a: `${F} type Query { a: T } type T { x: Int }`, b: `${F} scalar T type Query { b: T }` },
    refused: ['TYPE_KIND_MISMATCH'],
  },
  {
    name: 'no query anywhere is refused',
    subgraphs: { a: `${F} type T @key(fields: "id") { id: ID! }` },
    refused: ['NO_QUERIES'],
  },
  {
    name: 'extensions of unions, enums, scalars and inputs without a definition anywhere are refused',
    subgraphs: {
      a: `${F} extend type Query { a: U e: E s(i: In): S n: N } extend union U = X extend enum E { A } extend scalar S @specifiedBy(url: "u") extend input In { a: Int } extend interface N { x: Int } extend type X implements N { x: Int }`,
    },
    refused: ['EXTENSION_WITH_NO_BASE'],
  },
  {
    name: 'definitions and several extensions of everything are joined',
    subgraphs: {
      a: `${F} type Query { a: U e: E s(i: In): Int n: N } union U = X extend union U = Y type X { x: Int } type Y { y: Int } enum E { A } extend enum E { B } input In { a: Int } extend input In { b: Int } interface N { n: Int } extend interface N { m: Int } type Z implements N { n: Int } extend type Z { m: Int }`,
    },
    facts: ['U @a member Y', 'E.B @a', 'In.b: Int', 'N.m: Int', 'Z.m: Int'],
  },
  {
    name: 'oneOf input types are kept',
    subgraphs: { a: `${F} type Query { a(i: In): Int } input In @oneOf { x: Int y: String }` },
    facts: ['In @oneOf'],
  },
  {
    name: 'a type used by nobody is kept',
    subgraphs: {
      a: `${F} type Query { a: Int } type Lonely { x: Int } enum Alone { A } input Single { a: Int }`,
    },
    facts: ['Lonely.x: Int', 'Alone.A @a', 'Single.a: Int'],
  },
  ...[
    'constructor',
    'hasOwnProperty',
    'isPrototypeOf',
    'propertyIsEnumerable',
    'toString',
    'valueOf',
    'toLocaleString',
  ].map(
    (name): CompositionSet => ({
      name: `types, fields, arguments, values and inputs are called ${name}`,
      subgraphs: {
        a: `${F} type Query { a(i: In, ${name}: Int): ${name} e: E u: U } type ${name} @key(fields: "${name}") { ${name}: ID! x(${name}: Int): Int } enum E { ${name} } input In { ${name}: Int } union U = ${name}`,
        b: `${F} type ${name} @key(fields: "${name}") { ${name}: ID! y: Int x(${name}: Int): Int @external z: Int @requires(fields: "x(${name}: 1)") }`,
      },
      facts: [
        `${name} @a key(${name})`,
        `${name}.y @b`,
        `${name}.z @b requires(x(${name}: 1))`,
        `Query.a(${name}: Int)`,
        `E.${name} @a`,
        `In.${name}: Int`,
        `U @a member ${name}`,
      ],
    }),
  ),
]

import { type CompositionSet, fed } from './composition-set.ts'

const F = fed('2.3', '@key @shareable @external @requires @provides @override @inaccessible')
const LABELS = fed('2.7', '@key @shareable @external @requires @provides @override @inaccessible')

export const overrides: readonly CompositionSet[] = [
  {
    name: 'a field moves to another subgraph',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int @override(from: "a") }`,
    },
    facts: ['T.n @b override(a)', '!T.n @a'],
  },
  {
    name: 'an overridden field that a key still uses stays declared',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") @key(fields: "sku") { id: ID! sku: ID! }`,
      b: `${F} type T @key(fields: "id") { id: ID! sku: ID! @override(from: "a") }`,
    },
    facts: ['T.sku @a usedOverridden', 'T.sku @b override(a)'],
  },
  {
    name: 'an overridden field that an interface still declares stays declared',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { n: Int } type T implements I @key(fields: "id") { id: ID! n: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int @override(from: "a") }`,
    },
    facts: ['T.n @a usedOverridden', 'T.n @b override(a)'],
  },
  {
    name: 'an external field that a requirement uses is overridden',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int @external m: Int @requires(fields: "n") }`,
      c: `${F} type T @key(fields: "id") { id: ID! n: Int @override(from: "a") }`,
    },
    facts: ['T.n @c override(a)', 'T.n @b external', '!T.n @a'],
  },
  {
    name: 'a label counts only where the other subgraph has the field',
    subgraphs: {
      a: `${LABELS} type Query { t: T } type T @key(fields: "id") { id: ID! m: Int @override(from: "b", label: "percent(5)") }`,
      b: `${LABELS} type T @key(fields: "id") { id: ID! n: Int @override(from: "gone", label: "percent(7)") }`,
      c: `${LABELS} type T @key(fields: "id") { id: ID! o: Int @override(from: "b", label: "percent(9)") }`,
    },
    facts: ['T.m @a', 'T.n @b', 'T.o @c'],
  },
  {
    name: 'a whole root field moves',
    subgraphs: {
      a: `${F} type Query { x: Int y: Int }`,
      b: `${F} type Query { x: Int @override(from: "a") }`,
    },
    facts: ['Query.x @b override(a)', '!Query.x @a', 'Query.y @a'],
  },
  {
    name: 'an override from a subgraph that does not exist has no effect',
    subgraphs: { a: `${F} type Query { x: Int @override(from: "gone") }` },
    facts: ['Query.x @a'],
  },
  ...[
    'percent(5)',
    'percent(0.5)',
    'percent(0)',
    'percent(100)',
    'percent(99.99999999)',
    'foo',
    'Foo_bar-2:x.y/z',
    'a0',
  ].map(
    (label): CompositionSet => ({
      name: `a field moves progressively under the label ${label}`,
      subgraphs: {
        a: `${LABELS} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
        b: `${LABELS} type T @key(fields: "id") { id: ID! n: Int @override(from: "a", label: "${label}") }`,
      },
      facts: [`T.n @b override(a) label(${label})`, `T.n @a label(${label})`],
    }),
  ),
  ...['', 'percent(101)', 'percent(-1)', 'percent(1.123456789)', '1abc', 'percent(.5)', 'a b'].map(
    (label): CompositionSet => ({
      name: `the label "${label}" is refused`,
      subgraphs: {
        a: `${LABELS} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
        b: `${LABELS} type T @key(fields: "id") { id: ID! n: Int @override(from: "a", label: "${label}") }`,
      },
      refused: ['OVERRIDE_LABEL_INVALID'],
    }),
  ),
  {
    name: 'a field that can be reached under one setting of the labels only is refused',
    subgraphs: {
      a: `${LABELS} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${LABELS} type T @key(fields: "other") { other: ID! n: Int @override(from: "a", label: "beta") }`,
      c: `${LABELS} type T @key(fields: "id") { id: ID! n: Int @external m: Int @requires(fields: "n") }`,
    },
    refused: ['SATISFIABILITY_ERROR'],
  },
  {
    name: 'two fields move under one label and one under another',
    subgraphs: {
      a: `${LABELS} type Query { t: T } type T @key(fields: "id") { id: ID! x: Int y: Int z: Int }`,
      b: `${LABELS} type T @key(fields: "id") { id: ID! x: Int @override(from: "a", label: "one") y: Int @override(from: "a", label: "one") z: Int @override(from: "a", label: "two") }`,
    },
    facts: ['T.x @a label(one)', 'T.z @a label(two)', 'T.y @b override(a) label(one)'],
  },
  {
    name: 'an override of itself is refused',
    subgraphs: { a: `${F} type Query { x: Int @override(from: "a") }` },
    refused: ['OVERRIDE_FROM_SELF_ERROR'],
  },
  {
    name: 'an override on an external field is refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${F} type T @key(fields: "id") { id: ID! n: Int @external @override(from: "a") m: Int @requires(fields: "n") }`,
    },
    refused: ['OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE'],
  },
  {
    name: 'an override on an interface is refused',
    subgraphs: {
      a: `${F} type Query { i: I } interface I { n: Int } type T implements I { n: Int }`,
      b: `${F} interface I { n: Int @override(from: "a") } type U implements I { n: Int }`,
    },
    refused: ['OVERRIDE_ON_INTERFACE'],
  },
  {
    name: 'a shareable field of a value type moves away from one of three',
    subgraphs: {
      a: `${F} type Query { v: V @shareable } type V @shareable { x: Int y: Int }`,
      b: `${F} type Query { v: V @shareable } type V @shareable { x: Int y: Int }`,
      c: `${F} type Query { v: V @shareable } type V { x: Int @shareable @override(from: "a") y: Int @shareable }`,
    },
    facts: ['V.x @c override(a)', 'V.x @b', '!V.x @a'],
  },
  {
    name: 'an override makes a field unreachable: refused',
    subgraphs: {
      a: `${F} type Query { t: T } type T { n: Int m: Int }`,
      b: `${F} type T { n: Int @override(from: "a") }`,
    },
    refused: ['SATISFIABILITY_ERROR'],
  },
  {
    name: 'a field that moves progressively is required elsewhere',
    subgraphs: {
      a: `${LABELS} type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `${LABELS} type T @key(fields: "id") { id: ID! n: Int @override(from: "a", label: "beta") }`,
      c: `${LABELS} type T @key(fields: "id") { id: ID! n: Int @external m: Int @requires(fields: "n") }`,
    },
    facts: ['T.n @b override(a) label(beta)', 'T.n @a label(beta)', 'T.m @c requires(n)', 'T.n @c external'],
  },
  {
    name: 'a key that moves progressively leads to another subgraph',
    subgraphs: {
      a: `${LABELS} type Query { t: T } type T @key(fields: "id") @key(fields: "sku") { id: ID! sku: ID! }`,
      b: `${LABELS} type T @key(fields: "id") { id: ID! sku: ID! @override(from: "a", label: "percent(10)") @shareable }`,
      c: `${LABELS} type T @key(fields: "sku") { sku: ID! extra: Int }`,
    },
    facts: ['T.sku @b override(a) label(percent(10))', 'T.extra @c'],
  },
  {
    name: 'two overrides of one field are refused',
    subgraphs: {
      a: `${F} type Query { x: Int }`,
      b: `${F} type Query { x: Int @override(from: "a") }`,
      c: `${F} type Query { x: Int @override(from: "a") }`,
    },
    refused: ['INVALID_FIELD_SHARING'],
  },
  {
    name: 'an override of an override is refused',
    subgraphs: {
      a: `${F} type Query { x: Int }`,
      b: `${F} type Query { x: Int @override(from: "a") }`,
      c: `${F} type Query { x: Int @override(from: "b") }`,
    },
    refused: ['OVERRIDE_SOURCE_HAS_OVERRIDE'],
  },
  {
    name: 'an override from null takes nothing over',
    subgraphs: { a: `${fed('2.3', '@override')} type Query { a: Int @override(from: null) }` },
    facts: ['Query.a @a'],
  },
]

/** What the version before took composes: a new rule gives a hint for one minor version. */
import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { type ErrorSet, F } from './errors/error-set.ts'
import { byText, placesOf, readMarks } from './errors/marks.ts'
import { composeSdls, expectComposed } from './subgraph-fixtures.ts'

const SETS: readonly ErrorSet[] = [
  {
    code: 'INVALID_GRAPHQL',
    name: 'a field of a @oneOf type is required',
    subgraphs: { a: `${F} type Query { a(i: In): Int } input In ‹@oneOf› { x: ‹Int!› y: Int }` },
    labels: ['', 'Int! here'],
    says: '"In.x" is a field of a @oneOf type',
  },
  {
    code: 'FIELD_TYPE_MISMATCH',
    name: 'the field of an interface has different types',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { x: ‹Int› } type A implements I { x: Int }`,
      b: `${F} type Query { b: I } interface I { x: ‹String› }`,
    },
    labels: ['Int here', 'String here'],
    says: 'The types of field "I.x" do not fit together',
  },
  {
    code: 'INTERFACE_OBJECT_USAGE_ERROR',
    name: 'an interface implements one that is an interface object elsewhere',
    subgraphs: {
      a: `${F} type Query { n: Node } interface Node @key(fields: "id") { id: ID! }
        interface ‹Product› implements Node { id: ID! } type Book implements Node & Product @key(fields: "id") { id: ID! }`,
      b: `${F} type Node @key(fields: "id") ‹@interfaceObject› { id: ID! }`,
    },
    labels: ['', ''],
    says: 'Interface "Product" implements "Node", which is an @interfaceObject elsewhere',
  },
  ...[
    '@cost(weight: 3)',
    '@listSize(assumedSize: 3)',
    '@authenticated',
    '@policy(policies: [["p"]])',
    '@mine',
  ].map((directive) => ({
    code: 'MERGED_DIRECTIVE_APPLICATION_ON_EXTERNAL' as const,
    name: `${directive} on an external field`,
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! x: [Int] ${directive === '@mine' ? '' : directive} }`,
      b: `${F} extend schema @link(url: "https://my.example/mine/v1.0", import: ["@mine"]) @composeDirective(name: "@mine")
          directive @mine on FIELD_DEFINITION
          type T @key(fields: "id") { id: ID! x: [Int] @external ‹${directive}› y: Int @requires(fields: "x") ${directive === '@mine' ? '' : directive.replace('@listSize(assumedSize: 3)', '')} }`,
    },
    labels: [''],
    says: `Field "T.x" is @external and has ${directive.replace(/\(.*/, '')}`,
  })),
  {
    code: 'EXTERNAL_IN_NESTED_KEY',
    name: 'a nested key selects a field that others resolve',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id u { x }") { id: ID! u: U! } type U { x: ID! @shareable }`,
      b: `${F} type T @key(fields: "id ‹u› { x }") { id: ID! u: U! @external data: Int @external r: Int @requires(fields: "data") }
        type U { x: ID! @shareable }`,
      c: `${F} type T @key(fields: "id") { id: ID! data: Int }`,
    },
    labels: [''],
    says: 'A @key of "T" selects "T.u", which is @external',
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key selects nothing of an object',
    subgraphs: {
      a: `${F} type Query { t: T } type T @key(fields: "id ‹in›") { id: ID! in: In } type In { x: Int }`,
    },
    labels: [''],
    says: 'A @key of "T" selects nothing of the object "T.in"',
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key selects nothing',
    subgraphs: { a: `${F} type Query { t: T } type T @key(fields: ‹""›) { id: ID! }` },
    labels: [''],
    says: 'A @key of "T" is no selection of fields',
  },
  {
    code: 'KEY_INVALID_FIELDS',
    name: 'a key of a root type selects something below a leaf',
    subgraphs: { a: `${F} type Query @key(fields: "‹x› { x }") { x: Int }` },
    labels: [''],
    says: 'selects fields below "Query.x"',
  },
  {
    code: 'ROOT_QUERY_USED',
    name: 'a type with the name of the query root is extended beside another root',
    subgraphs: {
      a: `${F} extend schema { query: Root } type Root { x: Int } extend type ‹Query› { y: Int }`,
    },
    labels: [''],
    says: 'Type "Query" has the name of a root type',
  },
  {
    code: 'EXTERNAL_TYPE_MISMATCH',
    name: 'an interface object requires a field with another type than it has',
    subgraphs: {
      a: `${F} type Query { i: I } interface I @key(fields: "id") { id: ID! x: ‹Int› } type A implements I @key(fields: "id") { id: ID! x: Int }`,
      b: `${F} type I @key(fields: "id") @interfaceObject { id: ID! x: ‹String› @external y: Int @requires(fields: "x") }`,
    },
    labels: ['Int here', 'String here, @external'],
    says: 'Field "I.x" is resolved with type "Int", but declared @external with type "String"',
  },
  {
    code: 'NO_QUERIES',
    name: 'the query has no fields',
    subgraphs: {
      a: `${F} type ‹Query› type T @key(fields: "id") { id: ID! }`,
      b: `${F} type ‹Query› type T @key(fields: "id") { id: ID! }`,
    },
    labels: ['', ''],
    says: 'No subgraph has a query',
  },
  {
    code: 'INVALID_FIELD_SHARING',
    name: 'interface objects of two interfaces resolve a field of one object',
    subgraphs: {
      a: `${F} type Query { n: Node } interface Node @key(fields: "id") { id: ID! } interface Media @key(fields: "id") { id: ID! }
        type Book implements Node & Media @key(fields: "id") { id: ID! } type Film implements Node & Media @key(fields: "id") { id: ID! }`,
      b: `${F} type Node @key(fields: "id") @interfaceObject { id: ID! ‹rating›: Int }`,
      c: `${F} type Media @key(fields: "id") @interfaceObject { id: ID! ‹rating›: Int }`,
    },
    labels: ['not @shareable here', 'not @shareable here'],
    says: 'Field "Book.rating" is resolved by subgraphs "b" (through the interface object "Node.rating")',
  },
]

describe('a mistake that the version before took', () => {
  it.each(SETS)('composes with a hint: $name', (set) => {
    const { sdls, marks } = readMarks(set)
    const result = composeSdls(sdls)
    expectComposed(result)
    expect(result.hints.map(({ code }) => code)).toEqual([set.code])
    const [hint] = result.hints
    expect(hint?.message).toContain(set.says ?? '')
    expect(hint?.message).toMatch(/This is a hint in this version, and an error from 0\.2 on\.$/)
    expect(result.hints.flatMap(placesOf).sort(byText)).toEqual([...marks].sort(byText))
  })

  it.each(SETS)('is refused where that is asked for: $name', (set) => {
    const { sdls } = readMarks(set)
    const named = Object.entries(sdls).map(([name, sdl]) => ({ name, sdl, routingUrl: `http://${name}` }))
    const result = compose({ subgraphs: named, isStrict: true })
    expect(result).toMatchObject({ kind: 'failed', errors: [{ code: set.code }], hints: [] })
    const [error] = result.kind === 'failed' ? result.errors : []
    expect(error?.message).toContain(set.says ?? '')
    expect(error?.message).not.toContain('hint')
  })
})

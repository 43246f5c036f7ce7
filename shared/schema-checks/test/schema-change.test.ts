import { compose } from '@switchyard/composition'
import { buildApiSchema } from '@switchyard/engine'
import { findSchemaChanges, type GraphQLSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { changesBetween } from '../src/index.ts'

/** As a router would hold it: there is no SDL behind it. */
function clientSchema(sdl: string): GraphQLSchema {
  const result = compose({ subgraphs: [{ name: 'only', routingUrl: 'http://only/', sdl }] })
  if (result.kind === 'failed') throw new Error(result.errors.map(({ message }) => message).join('\n'))
  return buildApiSchema(result.supergraphSdl)
}

type Row = readonly [what: string, before: string, after: string, changes: readonly string[]]

const INPUT = 'type Query { a(i: I): Int }'
const UNION = 'type Query { u: U } type A { a: Int } type B { b: Int }'
const INTERFACE = 'type Query { u: I a: A } interface I { a: Int }'
const SHORT = 'directive @x on FIELD type Query { a: Int }'

const BREAKING: readonly Row[] = [
  ['a union member removed', `${UNION} union U = A | B`, `${UNION} union U = A`, ['UNION_MEMBER_REMOVED U']],
  [
    'an interface no longer implemented',
    `${INTERFACE} type A implements I { a: Int }`,
    `${INTERFACE} type A { a: Int }`,
    ['OBJECT_TYPE_INTERFACE_REMOVED A'],
  ],
  [
    'a required input field',
    `${INPUT} input I { a: Int }`,
    `${INPUT} input I { a: Int b: Int! }`,
    ['INPUT_FIELD_ADDED I.b'],
  ],
  [
    'an input field removed',
    `${INPUT} input I { a: Int b: Int }`,
    `${INPUT} input I { a: Int }`,
    ['INPUT_FIELD_REMOVED I.b'],
  ],
  [
    'an argument removed',
    'type Query { a(i: Int): Int }',
    'type Query { a: Int }',
    ['FIELD_ARGUMENT_REMOVED Query.a.i'],
  ],
  [
    'an argument that loses the default that made it optional',
    'type Query { a(i: Int! = 1): Int }',
    'type Query { a(i: Int!): Int }',
    ['FIELD_ARGUMENT_DEFAULT_CHANGED Query.a.i'],
  ],
  [
    'an input field that loses the default that made it optional',
    `${INPUT} input I { a: Int! = 1 }`,
    `${INPUT} input I { a: Int! }`,
    ['INPUT_FIELD_DEFAULT_VALUE_CHANGED I.a'],
  ],
  [
    'an input object that takes one field only',
    `${INPUT} input I { a: Int b: Int }`,
    `${INPUT} input I @oneOf { a: Int b: Int }`,
    ['INPUT_OBJECT_ONE_OF_ADDED I'],
  ],
  [
    'a scalar made an enum',
    'type Query { a: A } scalar A',
    'type Query { a: A } enum A { X }',
    ['TYPE_KIND_CHANGED A'],
  ],
  [
    'a mutation type removed',
    'type Query { a: Int } type Mutation { b: Int }',
    'type Query { a: Int }',
    ['SCHEMA_MUTATION_TYPE_CHANGED ', 'TYPE_REMOVED Mutation'],
  ],
  [
    'a directive that is no longer repeatable',
    SHORT.replace('@x', '@x repeatable'),
    SHORT,
    ['DIRECTIVE_REPEATABLE_REMOVED @x'],
  ],
  [
    'a directive location removed',
    SHORT.replace('FIELD', 'FIELD | QUERY'),
    SHORT,
    ['DIRECTIVE_LOCATION_REMOVED @x'],
  ],
]

const HARMLESS: readonly Row[] = [
  [
    'another default',
    'type Query { a(i: Int = 1): Int }',
    'type Query { a(i: Int = 2): Int }',
    ['dangerous FIELD_ARGUMENT_DEFAULT_CHANGED Query.a.i'],
  ],
  [
    'the default of a nullable argument removed',
    'type Query { a(i: Int = 1): Int }',
    'type Query { a(i: Int): Int }',
    ['dangerous FIELD_ARGUMENT_DEFAULT_CHANGED Query.a.i'],
  ],
  [
    'a required argument that becomes optional by a default',
    'type Query { a(i: Int!): Int }',
    'type Query { a(i: Int! = 1): Int }',
    ['dangerous FIELD_ARGUMENT_DEFAULT_CHANGED Query.a.i'],
  ],
  [
    'an input object that takes several fields again',
    `${INPUT} input I @oneOf { a: Int b: Int }`,
    `${INPUT} input I { a: Int b: Int }`,
    ['safe INPUT_OBJECT_ONE_OF_REMOVED I'],
  ],
  [
    'a field that is never null now',
    'type Query { a: Int }',
    'type Query { a: Int! }',
    ['safe FIELD_TYPE_CHANGED Query.a'],
  ],
  ['root types of other names', 'schema { query: Q } type Q { a: Int }', 'type Query { a: Int }', []],
]

describe('client schemas', () => {
  it.each(BREAKING)('are broken by %s', async (_, before, after, changes) => {
    const found = await changesBetween(clientSchema(before), clientSchema(after))
    const breaking = found.filter(({ criticality }) => criticality === 'breaking')
    expect(breaking.map(({ type, path }) => `${type} ${path}`)).toEqual(changes)
  })

  it.each(HARMLESS)('are not broken by %s', async (_, before, after, changes) => {
    const found = await changesBetween(clientSchema(before), clientSchema(after))
    expect(found.map(({ criticality, type, path }) => `${criticality} ${type} ${path}`)).toEqual(changes)
  })

  it('are never called whole where graphql-js finds them broken', async () => {
    const sdls = [...BREAKING, ...HARMLESS].flatMap(([, before, after]) => [before, after])
    const schemas = [...new Set(sdls)].map(clientSchema)
    let broken = 0
    for (const before of schemas) {
      for (const after of schemas) {
        const judged = findSchemaChanges(before, after).filter(({ type }) =>
          BREAKING_FOR_GRAPHQL_JS.has(type),
        )
        if (judged.length === 0) continue
        broken += 1
        const found = await changesBetween(before, after)
        expect(found.filter(({ criticality }) => criticality === 'breaking')).not.toEqual([])
      }
    }
    expect(broken).toBeGreaterThan(300)
  })
})

const BREAKING_FOR_GRAPHQL_JS: ReadonlySet<string> = new Set([
  'TYPE_REMOVED',
  'TYPE_CHANGED_KIND',
  'TYPE_REMOVED_FROM_UNION',
  'VALUE_REMOVED_FROM_ENUM',
  'REQUIRED_INPUT_FIELD_ADDED',
  'IMPLEMENTED_INTERFACE_REMOVED',
  'FIELD_REMOVED',
  'FIELD_CHANGED_KIND',
  'REQUIRED_ARG_ADDED',
  'ARG_REMOVED',
  'ARG_CHANGED_KIND',
  'DIRECTIVE_REMOVED',
  'DIRECTIVE_ARG_REMOVED',
  'REQUIRED_DIRECTIVE_ARG_ADDED',
  'DIRECTIVE_REPEATABLE_REMOVED',
  'DIRECTIVE_LOCATION_REMOVED',
])

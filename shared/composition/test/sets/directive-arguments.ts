/**
 * Which literals an argument of a subgraph's own directive takes: every kind of literal against every kind of
 * type.
 */
import { parseConstValue, print } from 'graphql'
import type { CompositionSet } from './composition-set.ts'

const TYPES =
  'input In { a: Int b: [ID!] c: In d: Int! = 1 } input Must { a: Int! } input One @oneOf { a: Int b: In } enum En { A } extend enum En { B } scalar Any'
const PLACES =
  'SCHEMA | FIELD_DEFINITION | OBJECT | INTERFACE | UNION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION | ARGUMENT_DEFINITION'

/** The supergraph has the value as it was written. */
const LEGAL: Readonly<Record<string, readonly string[]>> = {
  Int: ['null', '0', '-2147483648', '2147483647'],
  'Int!': ['1'],
  Float: ['null', '1', '1.5', '1e3'],
  String: ['null', '""', '"null"'],
  Boolean: ['null', 'true'],
  ID: ['null', '"a"', '7'],
  En: ['null', 'A', 'B'],
  Any: ['null', '1', '"a"', 'free', '[1, null, "a"]', '{ x: null }'],
  In: [
    'null',
    '{}',
    '{ a: null }',
    '{ b: null, c: { c: null } }',
    '{ b: "x" }',
    '{ c: { a: 1, b: [1, "x"] } }',
  ],
  Must: ['null', '{ a: 1 }'],
  One: ['null', '{ a: 1 }', '{ b: { a: null } }'],
  '[Int]': ['null', '[]', '[null]', '[1, null]', '1'],
  '[Int!]': ['null', '[]', '[1]', '1'],
  '[[En]]!': ['[]', '[null, [null, A], B]', 'A'],
  '[In!]!': ['[{ a: null }]', '{ a: 1 }'],
  '[Any!]': ['null', '[1, "a", { b: null }]'],
}

const ILLEGAL: Readonly<Record<string, readonly string[]>> = {
  Int: ['"1"', '1.5', '2147483648', 'true', 'A', '[1]', '{ a: 1 }'],
  'Int!': ['null', '"1"'],
  Float: ['"1"', 'true'],
  String: ['1', 'A'],
  Boolean: ['"true"', '0'],
  ID: ['true', '1.5', 'A'],
  En: ['C', '"A"', '1'],
  'En!': ['null'],
  'Any!': ['null'],
  In: ['1', '"a"', '[1]', '{ x: 1 }', '{ a: "1" }', '{ b: [null] }', '{ c: { c: { d: null } } }'],
  'In!': ['null'],
  Must: ['{}', '{ a: null }'],
  One: ['{}', '{ a: null }', '{ a: 1, b: null }'],
  '[Int]': ['["a"]', '[1, "a"]', '[[1]]', '"a"'],
  '[Int!]': ['[null]', '[1, null]'],
  '[Int]!': ['null'],
  '[[En]]!': ['[[A, C]]', '[null, "A"]'],
  '[In!]!': ['[{}, null]', '[{ a: 1 }, { a: "1" }]'],
}

function written(type: string, literal: string): string {
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@composeDirective"]) @link(url: "https://example.test/mine/v1.0", import: ["@mine"]) @composeDirective(name: "@mine")
    directive @mine(c: ${type}) on FIELD_DEFINITION ${TYPES} type Query { t: Int @mine(c: ${literal}) }`
}

function sets(
  table: typeof LEGAL,
  make: (type: string, literal: string) => CompositionSet,
): readonly CompositionSet[] {
  return Object.entries(table).flatMap(([type, literals]) => literals.map((literal) => make(type, literal)))
}

export const directiveArguments: readonly CompositionSet[] = [
  ...sets(LEGAL, (type, literal) => ({
    name: `an argument of type ${type} takes ${literal}`,
    subgraphs: { a: written(type, literal) },
    facts: [`Query.t @mine(c: ${print(parseConstValue(literal))})`],
  })),
  ...sets(ILLEGAL, (type, literal) => ({
    name: `an argument of type ${type} does not take ${literal}`,
    subgraphs: { a: written(type, literal) },
    refused: ['INVALID_GRAPHQL'],
  })),
  ...['', 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3")'].map(
    (link): CompositionSet => ({
      name: `null stands in every place where a directive may be applied, ${link === '' ? 'without a link' : 'with a link'}`,
      subgraphs: {
        a: `${link} directive @x(c: Int, d: In, l: [ID]) repeatable on ${PLACES} directive @y(a: Int = null @x(c: null)) on OBJECT
          extend schema @x(c: null)
          type Query @x(c: null, l: null) { a(b: Int = null @x(c: null)): Int @x(d: { a: null }, l: ["a", 1, null]) i: I u: U s: S e(i: In): E } extend type Query @x(c: null) { z: Int @x(c: null) }
          interface I @x(c: null) { a: Int @x(c: null) } type T implements I { a: Int } union U @x(c: null) = T scalar S @x(c: null) enum E @x(c: null) { A @x(c: null) }
          input In @x(c: null) { a: Int = null @x(c: null) } extend input In { b: Int @x(c: null) }`,
      },
      facts: ['Query.z @a'],
    }),
  ),
  ...['directive @x(c: Int = "a") on OBJECT', 'directive @x(c: [Int!] = [null]) on OBJECT'].map(
    (definition): CompositionSet => ({
      name: `a default that does not fit is refused: ${definition}`,
      subgraphs: { a: `${definition} type Query { a: Int }` },
      refused: ['INVALID_GRAPHQL'],
    }),
  ),
]

/**
 * Validation compares fields with each other: documents for which it would compare too many are refused
 * before it begins.
 */
import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { RequestError } from '../../src/operation/operation-error.ts'

const graph = openGraph(
  compileSupergraph(`
    schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
    directive @link(url: String, for: link__Purpose) repeatable on SCHEMA
    directive @join__graph(name: String!, url: String!) on ENUM_VALUE
    directive @join__type(graph: join__Graph!) repeatable on OBJECT | SCALAR
    enum link__Purpose { EXECUTION }
    enum join__Graph { A @join__graph(name: "a", url: "http://a.example/graphql") }
    type Query @join__type(graph: A) { self: Query a: Int b: Int c: Int f(x: Int): Int }`),
)

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ')

/** Whether validation begins. */
function reachesValidation(document: string): boolean {
  let began = false
  const onStep = (step: string) => {
    began ||= step === 'validate'
  }
  try {
    prepareOperation(graph, { document, onStep })
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    if (began) throw error
    expect(error).toMatchObject({
      code: 'OPERATION_LIMIT_EXCEEDED',
      message: 'The operation selects the same fields too often to be checked for conflicts.',
    })
  }
  return began
}

describe('fields that are compared with each other', () => {
  it.each([
    ['the same object with much below it', `{ ${many(200, () => 'self { self { self { a b c } } }')} }`],
    [
      'the same objects in the same objects',
      `{ ${many(60, () => `self { ${many(20, () => 'self { a }')} }`)} }`,
    ],
    ['the same leaf with arguments', `{ ${many(400, () => 'f(x: 1)')} }`],
    ['the same field in inline fragments', `{ ${many(250, () => '... { self { a b } }')} }`],
    [
      'the same field in many fragments',
      `{ ${many(250, (n) => `...F${n}`)} } ${many(250, (n) => `fragment F${n} on Query { self { a b } }`)}`,
    ],
    [
      'many fragments that have nothing in common',
      `{ ${many(500, (n) => `...F${n}`)} } ${many(500, (n) => `fragment F${n} on Query { a${n}: a }`)}`,
    ],
    [
      'fragments below the same field',
      `{ ${many(120, (n) => `self { ...F${n} }`)} } ${many(120, (n) => `fragment F${n} on Query { self { self { a b c } } b c }`)}`,
    ],
  ])('are refused before any is: %s', (_, document) => {
    expect(reachesValidation(document)).toBe(false)
  })

  it.each([
    [
      'an object in each of fifty inline fragments',
      `{ ${many(50, () => '... { self { a b c self { a b } } f(x: 1) one: self { a } }')} }`,
    ],
    [
      'the same thirty fragments in twenty places',
      `{ ${many(20, (n) => `p${n}: self { ${many(30, (f) => `...F${f}`)} }`)} } ${many(30, (n) => `fragment F${n} on Query { self { a b c } x: self { a } }`)}`,
    ],
    [
      'a fragment that is spread a hundred times',
      `{ ${many(100, () => '...F')} } fragment F on Query { self { self { a b c } } b c }`,
    ],
    ['thousands of different fields', `{ self { ${many(900, (n) => `a${n}: self { a b c }`)} } }`],
    [
      'fragments in fragments, as deep as somebody writes them',
      `{ ...F0 } ${many(60, (n) => `fragment F${n} on Query { a${n}: self { a } ...F${n + 1} }`)} fragment F60 on Query { a }`,
    ],
  ])('are few in %s', (_, document) => {
    expect(reachesValidation(document)).toBe(true)
  })
})

describe('fragments that spread one another', () => {
  it('are refused where they do so without end, or nearly', () => {
    const chain = (count: number) =>
      `{ ...F0 } ${many(count, (n) => `fragment F${n} on Query { ...F${n + 1} }`)} fragment F${count} on Query { a }`
    for (const count of [400, 1500, 2000])
      expect(() => prepareOperation(graph, { document: chain(count) })).toThrow(
        expect.objectContaining({
          code: 'OPERATION_LIMIT_EXCEEDED',
          message: 'The document nests fragments deeper than the 300 levels allowed.',
        }),
      )
    expect(prepareOperation(graph, { document: chain(100) }).kind).toBe('query')
  })
})

import { executeSync, getIntrospectionQuery, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { type Graph, openGraph } from '../../src/graph/graph.ts'
import { DEFAULT_INTROSPECTION_SIZE, introspectInTurns } from '../../src/introspection/introspect.ts'
import { CHARACTERS_PER_STEP } from '../../src/introspection/writer.ts'
import { JsonText } from '../../src/json/json-text.ts'
import { RequestError } from '../../src/operation/operation-error.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { SLICE_STEPS } from '../../src/work/slices.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

/** A graph in which every object type implements one interface. */
function graphOf(types: number): Graph {
  const objects = Array.from({ length: types }, (_, index) => {
    const next = `T${(index * 7) % types}`
    return `"A type." type T${index} implements Node @join__implements(graph: A, interface: "Node") @join__type(graph: A) { id: ID! "The next." next(first: Int = 10, after: String): [${next}!]! other: ${next} @deprecated(reason: "old") }`
  })
  return openGraph(
    compileSupergraph(`
      schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
      directive @link(url: String, for: link__Purpose) repeatable on SCHEMA
      directive @join__graph(name: String!, url: String!) on ENUM_VALUE
      directive @join__type(graph: join__Graph!) repeatable on OBJECT | INTERFACE
      directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
      enum link__Purpose { EXECUTION }
      enum join__Graph { A @join__graph(name: "a", url: "http://a.example/graphql") }
      interface Node @join__type(graph: A) { id: ID! }
      type Query @join__type(graph: A) { node: Node }
      ${objects.join('\n')}`),
  )
}

/** What is done, in slices. */
async function answer(graph: Graph, document: string, maxSize = DEFAULT_INTROSPECTION_SIZE) {
  const operation = prepareOperation(graph, { document })
  const { introspection } = planOperation(operation, new Map())
  let turns = 0
  const next = () => {
    turns++
    return Promise.resolve()
  }
  const part = introspection ?? expect.fail('asks for no introspection')
  const result = await introspectInTurns(graph, part, new Map(), { maxSize, turns: { next } }).catch(
    (error: unknown) => error,
  )
  return { result, turns }
}

const aliases = (count: number) => Array.from({ length: count }, (_, index) => `a${index}:name`).join(' ')

describe('an introspection whose answer is many times as large as the schema', () => {
  const bomb = `{__schema{types{interfaces{possibleTypes{${aliases(900)}}}}}}`

  it.each([100, 300])(
    'is given up when it reaches the limit: 900 names in lists of lists, %i types',
    async (types) => {
      expect(bomb.length).toBeLessThan(9000)
      const { result, turns } = await answer(graphOf(types), bomb)
      expect(result).toBeInstanceOf(RequestError)
      expect(result).toMatchObject({
        code: 'OPERATION_LIMIT_EXCEEDED',
        message:
          'The answer to the introspection would be larger than the 16777216 characters allowed. Expected fewer aliases in it, or fewer lists within lists.',
      })
      // What was done is counted by what was written, and that is no more than the limit.
      expect(turns).toBeLessThanOrEqual(DEFAULT_INTROSPECTION_SIZE / CHARACTERS_PER_STEP / SLICE_STEPS)
    },
  )

  it('is refused where lists are nested in one another more than twice', () => {
    const document = '{__schema{types{fields{type{fields{type{fields{name}}}}}}}}'
    expect(() => prepareOperation(graphOf(1), { document })).toThrow('Maximum introspection depth exceeded')
  })
})

describe('what tools ask of a large schema', () => {
  it('is answered whole, in slices, for 2000 types', async () => {
    const graph = graphOf(2000)
    const document = getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true })
    const { result, turns } = await answer(graph, document)
    const { __schema: schema } = result as Record<string, unknown>
    const text = schema instanceof JsonText ? schema.text : expect.fail(String(schema))
    const expected = executeSync({ schema: graph.apiSchema, document: parse(document) })
    // Of megabytes, a report of the difference would say nothing.
    expect(`{"__schema":${text}}` === JSON.stringify(expected.data)).toBe(true)
    expect(turns).toBeGreaterThan(20)
    // No slice is longer than what was agreed: 5000 steps, of 16 characters each.
    expect(text.length / (turns + 1)).toBeLessThanOrEqual(CHARACTERS_PER_STEP * SLICE_STEPS)
  })
})

import { GraphQLInt, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import {
  buffersOf,
  type CompiledGraph,
  compileSupergraph,
  openGraph,
  cutGraph,
  joinGraph,
} from '../../src/index.ts'
import { checkApi } from '../../src/graph/check-api.ts'
import { compileApi } from '../../src/graph/compile-api.ts'
import { FIXTURES, readFixture } from './supergraphs/support/fixtures.ts'
import { supergraph } from './supergraph-text.ts'

const NEVER = () => undefined

/** So many entities that both lists of types take several pieces. */
function large(): CompiledGraph {
  const fields = Array.from({ length: 20 }, (_, field) => `f${field}(a: Int = 1): Int @join__field(graph: A)`)
  const types = Array.from(
    { length: 100 },
    (_, type) =>
      `type T${type} @join__type(graph: A, key: "f0") @join__type(graph: B) { ${fields.join(' ')} }`,
  )
  const query = 'type Query @join__type(graph: A) { t: T0 u: T1 }'
  return compileSupergraph(supergraph(['A', 'B'], [query, ...types].join('\n')))
}

describe('a graph in pieces', () => {
  const served = FIXTURES.filter((name) => name !== 'context')

  it.each(served)('is the same graph after the way between two threads: %s', async (name) => {
    const compiled = compileSupergraph(readFixture(name).supergraphSdl)
    const pieces = cutGraph(compiled)
    const received = structuredClone(pieces, { transfer: buffersOf(pieces) })
    expect(await joinGraph(received, NEVER)).toEqual(compiled)
    expect(pieces.head.byteLength).toBe(0)
  })

  it('is joined a piece at a time', async () => {
    const compiled = large()
    const pieces = cutGraph(compiled)
    expect(pieces.types.length).toBeGreaterThan(4)
    expect(pieces.apiTypes.length).toBeGreaterThan(2)
    let turns = 0
    const joined = await joinGraph(pieces, async () => void turns++)
    expect(joined).toEqual(compiled)
    expect(turns).toBe(pieces.types.length + pieces.apiTypes.length)
  })
})

describe('the schema of an open graph', () => {
  it('makes a type when it is first asked for, and no other', () => {
    const { apiSchema } = openGraph(large())
    const made = apiSchema.getType('T7')
    expect(apiSchema.getTypeMap()['T7']).toBe(made)
    expect(Object.keys(apiSchema.getTypeMap())).toContain('T99')
    expect('T99' in apiSchema.getTypeMap()).toBe(true)
    expect(apiSchema.getType('T100')).toBeUndefined()
    expect(apiSchema.getType('toString')).toBeUndefined()
  })

  it('has the scalars of the specification that something uses, and no others', () => {
    const { apiSchema } = openGraph(large())
    expect(apiSchema.getType('Int')).toBe(GraphQLInt)
    expect(apiSchema.getType('Float')).toBeUndefined()
  })

  it('lets operations defer, and does not announce it', () => {
    const { apiSchema, validationSchema } = openGraph(large())
    const document = parse('{ t { ... @defer { f0 } } }')
    expect(validate(validationSchema, document)).toEqual([])
    expect(validate(apiSchema, document).map(({ message }) => message)).toEqual([
      'Unknown directive "@defer".',
    ])
    expect(validationSchema.getType('T0')).toBe(apiSchema.getType('T0'))
  })

  it.each([
    ['a field of an input type', 'type Query { a: In } input In { x: Int }', 'Query.a names the type "In"'],
    [
      'an argument of an output type',
      'type Query { a(b: T): Int } type T { x: Int }',
      'Query.a names the type "T"',
    ],
    [
      'an object as an interface',
      'type Query implements T { x: Int } type T { x: Int }',
      'Query names the type "T"',
    ],
    [
      'a union of interfaces',
      'type Query { a: U } union U = I interface I { x: Int }',
      'U names the type "I"',
    ],
    [
      'an input type as a root',
      'schema { query: Query mutation: In } type Query { a: Int } input In { x: Int }',
      'The schema names',
    ],
  ])('is refused when a graph is compiled with %s', (_, types, message) => {
    const api = compileApi(parse(types))
    expect(() => checkApi(api)).toThrow(message)
  })
})

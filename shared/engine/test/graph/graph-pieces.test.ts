import { printSchema, validate, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import {
  buffersOf,
  type CompiledGraph,
  compileSupergraph,
  openGraph,
  openGraphInSteps,
  cutGraph,
  joinGraph,
} from '../../src/index.ts'
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

describe('a graph that is opened in steps', () => {
  it('lets others run after every type', async () => {
    const compiled = large()
    let turns = 0
    await openGraphInSteps(compiled, async () => void turns++)
    expect(turns).toBeGreaterThanOrEqual(compiled.api.types.length)
  })

  it('is the graph that is opened at once', async () => {
    const compiled = large()
    const inSteps = await openGraphInSteps(compiled, NEVER)
    const atOnce = openGraph(compiled)
    expect(printSchema(inSteps.apiSchema)).toBe(printSchema(atOnce.apiSchema))
    expect(printSchema(inSteps.validationSchema)).toBe(printSchema(atOnce.validationSchema))
  })

  it('lets operations defer, and does not announce it', async () => {
    const { apiSchema, validationSchema } = await openGraphInSteps(large(), NEVER)
    const document = parse('{ t { ... @defer { f0 } } }')
    expect(validate(validationSchema, document)).toEqual([])
    expect(validate(apiSchema, document).map(({ message }) => message)).toEqual([
      'Unknown directive "@defer".',
    ])
    expect(validationSchema.getType('T0')).toBe(apiSchema.getType('T0'))
  })
})

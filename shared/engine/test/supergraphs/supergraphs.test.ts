import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compose } from '../../../composition/src/index.ts'
import { compileSupergraph, openGraph, SupergraphError } from '../../src/index.ts'
import { compareErrors, dataText } from '../corpus/harness/compare.ts'
import { createMonolith } from '../corpus/harness/monolith.ts'
import { randomOperation } from '../corpus/harness/random-operation.ts'
import { createEngine } from '../corpus/harness/run-engine.ts'
import { factsOf } from './support/facts.ts'
import { FIXTURES, readFixture } from './support/fixtures.ts'
import { SUPERGRAPH_SUITES } from './support/worlds.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)
const RUNS = Number(process.env['RUNS'] ?? 100)

/** What is refused, and why. */
const REFUSED = new Map([['context', 'takes arguments from a context (@fromContext)']])

/** join 0.1 does not say which subgraph has which value type, interface or external field: the loader assumes the most. */
const ASSUMED = new Set(['shop-join-0.1'])

/**
 * What another composer keeps and ours may not: the output type that a subgraph has of its own. A field is then planned as if
 * the subgraph had the type of the supergraph.
 */
const OWN_TYPES: Readonly<Record<string, readonly string[]>> = {
  'interface-over-object': ['Query.i in b', 'Query.j in b'],
  'nullability-of-shared-fields': ['Query.l in a', 'Query.v in b'],
  'shop-join-0.2': ['Query.stats in reviews'],
  'shop-join-0.2-arguments': ['Query.stats in reviews'],
  'shop-join-0.3': ['Query.stats in reviews'],
  'shop-join-0.4': ['Query.stats in reviews'],
  'shop-join-0.5': ['Query.stats in reviews'],
  'union-over-member': ['E.n', 'E.n in a', 'E.n in b'],
}

const served = FIXTURES.filter((name) => !REFUSED.has(name))

describe('a supergraph of another composer', () => {
  it.each(served)('can be loaded: %s', (name) => {
    const graph = openGraph(compileSupergraph(readFixture(name).supergraphSdl))
    expect(Object.keys(graph.apiSchema.getQueryType()?.getFields() ?? {})).not.toEqual([])
    const visible = Object.keys(graph.apiSchema.getTypeMap()).filter((type) => !type.startsWith('__'))
    expect(visible.filter((type) => /__/.test(type))).toEqual([])
  })

  it.each([...REFUSED])('is refused with the reason: %s', (name, reason) => {
    expect(() => compileSupergraph(readFixture(name).supergraphSdl)).toThrow(SupergraphError)
    expect(() => compileSupergraph(readFixture(name).supergraphSdl)).toThrow(reason)
  })

  it.each(served.filter((name) => !ASSUMED.has(name)))('says what our composition says: %s', (name) => {
    const { supergraphSdl, subgraphs } = readFixture(name)
    const composed = compose({ subgraphs })
    // Two fixtures hold what our composition may refuse: they are known by name.
    if (composed.kind === 'failed') return expect(['input-types', 'interface-over-interface']).toContain(name)
    const theirs = factsOf(openGraph(compileSupergraph(supergraphSdl)))
    const ours = factsOf(openGraph(compileSupergraph(composed.supergraphSdl)))
    const known = (fact: string) =>
      OWN_TYPES[name]?.some((place) => fact === place || fact.startsWith(`${place}:`)) === true
    expect(theirs.filter((fact) => !known(fact))).toEqual(ours.filter((fact) => !known(fact)))
  })
})

describe.each(SUPERGRAPH_SUITES)('$name:', (suite) => {
  const engine = createEngine(suite, { supergraphSdl: suite.supergraphSdl })
  const monolith = createMonolith(suite)

  it.each(suite.operations)('$name', async (operation) => {
    const oracle = await monolith.answer(operation)
    const run = await engine.run(operation)
    expect(run.complaints).toEqual([])
    expect(dataText(run.result.data, operation)).toBe(dataText(oracle.data, operation))
    expect(compareErrors(operation.errors, oracle, run.result)).toEqual([])
  })

  it(`random operations (seed ${SEED})`, { timeout: 60_000 }, async () => {
    const tape = fc.array(fc.nat({ max: 5039 }), { maxLength: 80, size: 'max' })
    await fc.assert(
      fc.asyncProperty(tape, fc.boolean(), async (numbers, moved) => {
        const labels = moved ? engine.labels : []
        const operation = { ...randomOperation(monolith.schema, numbers), labels }
        const oracle = await monolith.answer(operation)
        const run = await engine.run(operation)
        expect(run.complaints, operation.query).toEqual([])
        expect(dataText(run.result.data, operation), operation.query).toBe(dataText(oracle.data, operation))
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})

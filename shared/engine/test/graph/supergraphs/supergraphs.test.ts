import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compose } from '@switchyard/composition'
import { compileSupergraph, openGraph, SupergraphError } from '../../../src/index.ts'
import { compareErrors, createEngine, createMonolith, dataText } from '@switchyard/corpus'
import { randomOperation } from '@switchyard/samples'
import { factsOf } from './support/facts.ts'
import { FIXTURES, readFixture } from './support/fixtures.ts'
import { SUPERGRAPH_SUITES } from './support/worlds.ts'

/**
 * `SEED=… RUNS=… vitest run shared/engine/test/graph/supergraphs/supergraphs.test.ts` repeats or lengthens a
 * run.
 */
const RUN = new RandomRun(import.meta.url, 15, 100)

/** What is refused, and why. */
const REFUSED = new Map([['context', 'takes arguments from a context (@fromContext)']])

/**
 * join 0.1 does not say which subgraph has which value type, interface or external field: the loader assumes
 * the most.
 */
const ASSUMED = new Set(['shop-join-0.1'])

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
    if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
    const theirs = factsOf(openGraph(compileSupergraph(supergraphSdl)))
    expect(factsOf(openGraph(compileSupergraph(composed.supergraphSdl)))).toEqual(theirs)
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

  it(`random operations (seed ${RUN.seed})`, { timeout: RUN.timeout(60_000) }, async () => {
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
      RUN.parameters,
    )
  })
})

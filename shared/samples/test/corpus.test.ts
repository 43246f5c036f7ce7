/**
 * On the supergraph of every suite of the corpus, the engine gets from the samples what one server answers.
 */
import { compose } from '@switchyard/composition'
import { isLongRun, sampled } from '@switchyard/testkit/sampled'
import { RandomRun } from '@switchyard/testkit/random-run'
import { describe, expect, it } from 'vitest'
import { supergraphOf, SUITES } from '@switchyard/corpus'
import { Random, randomOperation } from '../src/index.ts'
import { openBench } from './bench.ts'

/** Of each suite; `RUNS=…` asks for another number. */
const { runs: RANDOM_OPERATIONS } = new RandomRun(import.meta.url, 2, 10)

describe('sample subgraphs', () => {
  // `make test` and CI look at every second.
  it.each(sampled(SUITES, isLongRun() ? 1 : 2))(
    'answer on $name as one server with the same values does',
    async (suite) => {
      const supergraphSdl = supergraphOf(suite)
      const { graph, engine, server } = openBench(supergraphSdl)
      const random = new Random(7)
      const operations = [
        ...suite.operations.map(({ name, query, variables = {}, operationName = null }) => ({
          name,
          query,
          variables,
          operationName,
        })),
        ...Array.from({ length: RANDOM_OPERATIONS }, () =>
          randomOperation(
            graph.apiSchema,
            Array.from({ length: 20 + random.below(160) }, () => random.below(5040)),
          ),
        ),
      ]
      for (const operation of operations) {
        if (operation.query.includes('__schema') || operation.query.includes('__type(')) continue
        const [ours, expected] = [await engine(operation), await server(operation)]
        expect(ours, operation.query).toEqual(expected)
      }
      if (graph.labels.length === 0) return
      const labelled = openBench(supergraphSdl, new Set(graph.labels))
      for (const operation of operations)
        expect(await labelled.engine(operation)).toEqual(await labelled.server(operation))
    },
  )

  it('answer what not everybody may see', async () => {
    const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@authenticated"])
      type Query { user: User! @authenticated } type User @key(fields: "id") { id: ID! email: String! @authenticated }`
    const composed = compose({ subgraphs: [{ name: 'a', routingUrl: 'http://a/', sdl }] })
    if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
    const { engine, server } = openBench(composed.supergraphSdl)
    const operation = { name: '', query: '{ user { email } }', variables: {}, operationName: null }
    const answer = await engine(operation)
    expect(answer).toEqual(await server(operation))
    expect(JSON.stringify(answer)).not.toContain('UNAUTHORIZED')
  })
})

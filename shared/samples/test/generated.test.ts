/** On generated graphs the engine gets from the samples what one server answers. */
import { describe, expect, it } from 'vitest'
import { RandomRun } from '@switchyard/testkit/random-run'
import { Tally, tryWorld } from '@switchyard/corpus/generated'
import { sampleOperations } from '../src/index.ts'
import { openBench } from './bench.ts'

/** `SEED=… RUNS=… vitest run shared/samples/test/generated.test.ts` tries other graphs, or more. */
const RUN = new RandomRun(import.meta.url, 25)
const { seed: FIRST, runs: WORLDS } = RUN

describe('sample subgraphs of generated graphs', () => {
  it('answer as one server with the same values does', async () => {
    let compared = 0
    for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
      const world = tryWorld(seed, new Tally())
      if (world === null) continue
      const { graph, engine, server } = openBench(world.supergraphSdl)
      for (const operation of sampleOperations(graph.apiSchema, { count: 12, seed })) {
        const [ours, expected] = [await engine(operation), await server(operation)]
        expect(ours.data, `world ${seed}: ${operation.query}`).toEqual(expected.data)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(WORLDS * 6)
  })
})

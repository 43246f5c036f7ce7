import { compose } from '../../../composition/src/index.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataText } from './harness/compare.ts'
import { createMonolith } from './harness/monolith.ts'
import { randomOperation } from './harness/random-operation.ts'
import { randomSuite } from './harness/random-suite.ts'
import { createEngine } from './harness/run-engine.ts'
import { subgraphInputs } from './harness/suite.ts'

/** `SEED=… RUNS=… vitest run shared/engine/test/corpus/random-supergraphs.test.ts` repeats or lengthens a run. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)
const RUNS = Number(process.env['RUNS'] ?? 60)

const tape = (maxLength: number) => fc.array(fc.nat({ max: 5039 }), { minLength: 10, maxLength, size: 'max' })
const operations = fc.array(tape(100), { minLength: 1, maxLength: 6 })

describe('random supergraphs', () => {
  it(`answer random operations as the monolith does (seed ${SEED})`, { timeout: 300_000 }, async () => {
    let composed = 0
    let tried = 0
    await fc.assert(
      fc.asyncProperty(tape(120), operations, async (graphTape, operationTapes) => {
        const suite = randomSuite(graphTape)
        tried++
        if (compose({ subgraphs: subgraphInputs(suite) }).kind === 'failed') return
        composed++
        const monolith = createMonolith(suite)
        const engine = createEngine(suite)
        for (const operationTape of operationTapes) {
          const operation = randomOperation(engine.schema, operationTape)
          const oracle = await monolith.answer(operation)
          const run = await engine.run(operation)
          const sdls = Object.entries(suite.subgraphs).map(([name, { sdl }]) => `# ${name}\n${sdl}`)
          const context = [...sdls, operation.query, JSON.stringify(operation.variables)].join('\n')
          expect(run.complaints, context).toEqual([])
          expect(run.result.errors, context).toEqual([])
          expect(oracle.errorPaths, context).toEqual([])
          expect(dataText(run.result.data, operation), context).toBe(dataText(oracle.data, operation))
        }
      }),
      { numRuns: RUNS, seed: SEED },
    )
    // A generator whose graphs mostly fail to compose would test nothing.
    expect(composed / tried).toBeGreaterThan(0.3)
  })
})

import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataText, explainedNulls } from '../src/harness/compare.ts'
import { createMonolith } from '../src/harness/monolith.ts'
import { once } from '../src/harness/once.ts'
import { createEngine } from '../src/harness/run-engine.ts'
import { randomOperation } from '@switchyard/samples'
import { SUITES } from '../src/suites/index.ts'

/** `SEED=… RUNS=… vitest run shared/corpus/test/random-operations.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 75, 300)

/** Their subgraphs give canned answers, whatever is asked. */
const LEFT_OUT = new Set(['failing subgraphs', 'sloppy answers'])

/** By schema: several suites ask different questions of the same one. */
const worlds = new Map(
  SUITES.filter(({ name }) => !LEFT_OUT.has(name)).map((suite) => [suite.monolith, suite] as const),
)
const byName = new Map(
  [...worlds.values()].map((suite) => [
    suite.name,
    once(() => ({ monolith: createMonolith(suite), engine: createEngine(suite) })),
  ]),
)

const tape = fc.array(fc.nat({ max: 5039 }), { maxLength: 150, size: 'max' })

describe('random operations', () => {
  it(`are answered as the monolith answers them (seed ${RUN.seed})`, {
    timeout: RUN.timeout(300_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...byName.keys()), tape, fc.nat(), async (name, numbers, draw) => {
        const { monolith, engine } = byName.get(name)?.() ?? expect.fail(name)
        const labels = engine.labels.filter((_label, index) => ((draw >> index) & 1) === 1)
        const operation = { ...randomOperation(monolith.schema, numbers), labels }
        const oracle = await monolith.answer(operation)
        const run = await engine.run(operation)
        const context = `${name}\n${operation.query}\n${JSON.stringify([operation.variables, labels])}`
        expect(run.complaints, context).toEqual([])
        expect(dataText(run.result.data, operation), context).toBe(dataText(oracle.data, operation))
        const paths = run.result.errors.map((error) => JSON.stringify(error.path ?? []))
        expect(explainedNulls(oracle.data, paths), context).toEqual(
          explainedNulls(oracle.data, oracle.errorPaths),
        )
      }),
      RUN.parameters,
    )
  })
})

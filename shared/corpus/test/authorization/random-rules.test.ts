import { randomOperation } from '@switchyard/samples'
import { mergeParts, RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deferredOperation, wholeAnswer } from '../../src/deferred/questions.ts'
import { dataText, explainedNulls } from '../../src/harness/compare.ts'
import { createMonolith } from '../../src/harness/monolith.ts'
import { createEngine } from '../../src/harness/run-engine.ts'
import { supergraphOf } from '../../src/harness/supergraph-of.ts'
import { SUITES } from '../../src/suites/index.ts'
import { fetchedInSpite, guard, HOLDERS, keyNames, protect } from '../../src/access/protection.ts'

/** `SEED=… RUNS=… vitest run shared/corpus/test/authorization` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 30, 300)

/** Their subgraphs give canned answers, or their root types have other names in subgraphs. */
const LEFT_OUT = new Set(['failing subgraphs', 'sloppy answers', 'renamed root types and directives'])

const worlds = new Map(
  SUITES.filter(({ name }) => !LEFT_OUT.has(name)).map((suite) => [suite.monolith, suite] as const),
)
const suites = [...worlds.values()]

const tape = fc.array(fc.nat({ max: 5039 }), { maxLength: 150, size: 'max' })

/** The same numbers for the same seed (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
function numbersFrom(seed: number): (below: number) => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) % below
  }
}

describe('random access rules', () => {
  it(`are enforced as one server with guarded resolvers would (seed ${RUN.seed})`, {
    timeout: RUN.timeout(300_000),
  }, async () => {
    let denied = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...suites),
        tape,
        fc.nat(),
        fc.constantFrom(...HOLDERS),
        async (suite, numbers, seed, holder) => {
          const supergraphSdl = supergraphOf(suite)
          const monolith = createMonolith(suite)
          const { sdl, protection } = protect(supergraphSdl, monolith.world, numbersFrom(seed))
          guard(monolith.world, protection, holder)
          const engine = createEngine(suite, { supergraphSdl: sdl, authorization: holder })
          const labels = engine.labels.filter((_label, index) => ((seed >> index) & 1) === 1)
          const operation = { ...randomOperation(monolith.schema, numbers), labels }
          const oracle = await monolith.answer(operation)
          const keys = keyNames(supergraphSdl)
          const spilled: string[] = []
          const run = await engine.run(operation, (reply, { fetch }) => {
            spilled.push(...fetchedInSpite(fetch.document, monolith.world, { protection, holder, keys }))
            return reply
          })
          const context = `${suite.name} ${seed}\n${operation.query}\n${JSON.stringify([operation.variables, labels])}\n${JSON.stringify([...protection.keys()])}`
          denied += run.plan.denied.length
          expect(run.complaints, context).toEqual([])
          expect(spilled, context).toEqual([])
          expect(dataText(run.result.data, operation), context).toBe(dataText(oracle.data, operation))
          const paths = run.result.errors.map((error) => JSON.stringify(error.path ?? []))
          expect(explainedNulls(oracle.data, paths), context).toEqual(
            explainedNulls(oracle.data, oracle.errorPaths),
          )
        },
      ),
      RUN.parameters,
    )
    expect(denied).toBeGreaterThan(RUN.runs / 4)
  })

  it(`are enforced in deferred fragments (seed ${RUN.seed})`, { timeout: RUN.timeout(300_000) }, async () => {
    let denied = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...suites),
        fc.nat(),
        fc.constantFrom(...HOLDERS),
        async (suite, seed, holder) => {
          const supergraphSdl = supergraphOf(suite)
          const monolith = createMonolith(suite)
          const { sdl, protection } = protect(supergraphSdl, monolith.world, numbersFrom(seed))
          guard(monolith.world, protection, holder)
          const operation = deferredOperation(monolith, seed)
          const oracle = await wholeAnswer(suite, monolith, operation, (document) => document)
          const expected = oracle.errorPaths.map((path) => JSON.stringify(path))
          const engine = createEngine(suite, { supergraphSdl: sdl, authorization: holder })
          const keys = keyNames(supergraphSdl)
          const spilled: string[] = []
          const run = await engine.runDeferred(operation, {
            tamper: (reply, { fetch }) => {
              spilled.push(...fetchedInSpite(fetch.document, monolith.world, { protection, holder, keys }))
              return reply
            },
          })
          const context = `${suite.name} ${seed}\n${operation.query}\n${JSON.stringify(operation.variables)}\n${JSON.stringify([...protection.keys()])}`
          expect(run.complaints, context).toEqual([])
          expect(spilled, context).toEqual([])
          // A null that takes objects along ends where a deferred fragment begins.
          const nulls = explainedNulls(oracle.data, expected)
          if (run.parts === null || nulls.join() !== [...new Set(expected)].sort().join()) return
          denied += run.plan.denied.length
          const merged = mergeParts(run.parts)
          expect(merged.data, context).toEqual(oracle.data)
          const paths = merged.errors.map(({ path }) => JSON.stringify(path ?? []))
          expect(explainedNulls(merged.data, paths), context).toEqual(nulls)
        },
      ),
      RUN.parameters,
    )
    expect(denied).toBeGreaterThan(RUN.runs / 10)
  })
})

import type { GraphQLSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compose } from '@switchyard/composition'
import { dataText } from '../corpus/harness/compare.ts'
import { createMonolith } from '../corpus/harness/monolith.ts'
import { randomOperation } from '../corpus/harness/random-operation.ts'
import { createEngine } from '../corpus/harness/run-engine.ts'
import { type Suite, subgraphInputs } from '../corpus/harness/suite.ts'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { linear, randomWorld } from './support/random-world.ts'

/** `SEED=… WORLDS=… vitest run shared/engine/test/plan/random-worlds.test.ts` repeats or lengthens a run. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)
const WORLDS = Number(process.env['WORLDS'] ?? 30)
const OPERATIONS = 12
const MAX_DRAWS = 40

describe('random supergraphs with interface objects and provided fields', () => {
  it(`are answered as one schema would be (seed ${SEED})`, { timeout: 300_000 }, async () => {
    const random = linear(SEED)
    let answered = 0
    for (let world = 0; world < WORLDS; world++) {
      const { suite, schema } = composableWorld(random)
      const monolith = createMonolith(suite)
      const engine = createEngine(suite)
      for (let index = 0; index < OPERATIONS; index++) {
        const tape = Array.from({ length: 120 }, () => Math.floor(random() * 5040))
        const operation = randomOperation(schema, tape)
        const run = await engine.run(operation)
        // The composer's own check lets some fields of key-less values through that no path leads to.
        if (run.plan.unreachable.length > 0) continue
        const sdls = Object.entries(suite.subgraphs).map(([name, { sdl }]) => `# ${name}\n${sdl}`)
        const context = `${operation.query}\n${JSON.stringify(operation.variables)}\n${sdls.join('\n')}`
        expect(run.complaints, context).toEqual([])
        expect(run.result.errors, context).toEqual([])
        const oracle = await monolith.answer(operation)
        expect(dataText(run.result.data, operation), context).toBe(dataText(oracle.data, operation))
        answered += 1
      }
    }
    expect(answered).toBeGreaterThan((WORLDS * OPERATIONS) / 2)
  })
})

function composableWorld(random: () => number): { readonly suite: Suite; readonly schema: GraphQLSchema } {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const suite = randomWorld(random)
    const composed = compose({ subgraphs: subgraphInputs(suite) })
    if (composed.kind === 'failed') continue
    return { suite, schema: openGraph(compileSupergraph(composed.supergraphSdl)).apiSchema }
  }
  throw new Error(
    `None of ${MAX_DRAWS} random worlds composes; the generator makes too many impossible ones.`,
  )
}

import { mergeParts, RandomRun } from '@switchyard/testkit'
import { type Graph, type Plan, typeOf } from '@switchyard/engine'
import { hashText, Random, withoutDefers } from '@switchyard/samples'
import { describe, expect, it } from 'vitest'
import { type Asked, questionsOfCorpus, questionsOfWorlds } from '../../src/deferred/benches.ts'
import { type Bench, formOf, lostCalls, sorted } from '../../src/deferred/check-deferred.ts'
import { deferredOperation } from '../../src/deferred/questions.ts'
import { modelCost, randomCosts, withTypes } from '../../src/deferred/random-costs.ts'
import { createEngine, type SuiteEngine, type Tamper } from '../../src/harness/run-engine.ts'
import type { SuiteOperation } from '../../src/harness/suite.ts'

/**
 * `SEED=… RUNS=… vitest run shared/corpus/test/deferred/costs.test.ts` repeats or lengthens a run; `WORLD=…`
 * looks at one generated graph, by the number that a failure names.
 */
const RUN = new RandomRun(import.meta.url, 20, 150)
const { seed: SEED, runs: STREAMS } = RUN

describe(`what deferred answers cost (SEED=${SEED} RUNS=${STREAMS})`, {
  timeout: RUN.timeout(600_000),
}, () => {
  it.each([
    ['of the corpus graphs', questionsOfCorpus],
    ['of generated graphs', (seed: number) => questionsOfWorlds(seed, 10 * STREAMS)],
  ])('%s is what the same answers cost in one piece', async (test, questions) => {
    let merged = 0
    await askAll(test, questions(SEED), async ({ engine, operation, choose, context }) => {
      const run = await engine.runDeferred(operation, choose)
      if (run.parts === null) return false
      const plain = await engine.run(withoutDefers(operation))
      // Where errors made other nulls, other things were delivered.
      if (sorted(mergeParts(run.parts).data) !== sorted(plain.result.data)) return true
      merged++
      expect(run.costs.at(-1), context).toBe(plain.cost)
      return true
    })
    if (STREAMS >= 20) expect(merged).toBeGreaterThan(STREAMS / 2)
  })

  it.each([
    ['a part of the corpus', questionsOfCorpus, false],
    ['a part of generated graphs', (seed: number) => questionsOfWorlds(seed, 10 * STREAMS), false],
    ['a part with calls lost', questionsOfCorpus, true],
    [
      'a part of generated graphs with calls lost',
      (seed: number) => questionsOfWorlds(seed, 10 * STREAMS),
      true,
    ],
  ])('%s is known after each part: that of what was delivered', async (test, questions, loses) => {
    let exact = 0
    await askAll(test, questions(SEED), async ({ bench, engine, operation, seed, choose, context }) => {
      const tamper: { readonly tamper?: Tamper } = loses ? { tamper: lostCalls(seed) } : {}
      const typed = withTypes(operation)
      const { parts, costs, plan } = await engine.runDeferred(typed, { ...choose, ...tamper })
      if (parts === null) return false
      const { compiled } = engine.graph
      if (compiled.costs === null) throw new Error('Nothing costs anything.')
      const isExact = !hasVeiledTypes(plan, engine.graph)
      if (isExact) exact++
      for (let count = 1; count <= parts.length; count++) {
        const { data } = mergeParts(parts.slice(0, count))
        const expected = modelCost(bench.monolith.world, typed, dataOf(data), compiled.costs)
        if (isExact) expect(costs[count - 1], `${context}\npart ${count}`).toBe(expected)
        else expect(costs[count - 1], `${context}\npart ${count}`).toBeGreaterThanOrEqual(expected)
      }
      return true
    })
    if (STREAMS >= 20) expect(exact).toBeGreaterThan(STREAMS / 2)
  })
})

type Stream = {
  readonly bench: Bench
  readonly engine: SuiteEngine
  readonly operation: SuiteOperation
  readonly seed: number
  readonly choose: Parameters<SuiteEngine['runDeferred']>[1]
  readonly context: string
}

/** `check`: whether the operation was answered in parts. */
async function askAll(
  test: string,
  questions: Iterable<Asked>,
  check: (stream: Stream) => Promise<boolean>,
): Promise<void> {
  const engines = new WeakMap<Bench, SuiteEngine>()
  let streams = 0
  for (const { bench, seed, world } of questions) {
    if (streams >= STREAMS) break
    await RUN.ask({ test, seed, ...(world === undefined ? {} : { world }) }, async () => {
      let engine = engines.get(bench)
      if (engine === undefined) {
        const costs = hashText(bench.suite.name)
        engine = createEngine(bench.suite, { costs: (compiled) => randomCosts(compiled, costs) })
        engines.set(bench, engine)
      }
      const operation = deferredOperation(bench.monolith, seed)
      const context = `${bench.suite.name}\n${operation.query}\n${JSON.stringify(operation.variables)}`
      const choose = { choices: new Random(seed), pendingPer: formOf(seed) }
      if (await check({ bench, engine, operation, seed, choose, context })) streams++
    })
  }
}

/** Whether the types of objects do not count, since interface objects hide them: the heaviest does. */
function hasVeiledTypes({ positions }: Plan, graph: Graph): boolean {
  const isVeiled = (type: TypeId) =>
    typeOf(graph, type).interfaces.some((id) => typeOf(graph, id).presence.some((by) => by.interfaceObject))
  return positions.some(({ type }) => {
    const { possible } = typeOf(graph, type)
    return possible.length > 1 && possible.some(isVeiled)
  })
}

type TypeId = Plan['rootType']

function dataOf(data: unknown): Readonly<Record<string, unknown>> | null {
  return data as Readonly<Record<string, unknown>> | null
}

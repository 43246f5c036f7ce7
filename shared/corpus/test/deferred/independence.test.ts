import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type Asked, questionsOfCorpus, questionsOfWorlds } from '../../src/deferred/benches.ts'
import { type Dependence, checkIndependence } from '../../src/deferred/independence.ts'
import { deferredOperation } from '../../src/deferred/questions.ts'
import { REASONS } from '../../src/deferred/reentry.ts'

/**
 * `SEED=… RUNS=… vitest run shared/corpus/test/deferred/independence.test.ts` repeats or lengthens a run;
 * `WORLD=…` looks at one generated graph, by the number that a failure names.
 */
const RUN = new RandomRun(import.meta.url, 20, 150)
const { seed: SEED, runs: STREAMS } = RUN

describe(`the first part of a deferred answer (SEED=${SEED} RUNS=${STREAMS})`, {
  timeout: RUN.timeout(600_000),
}, () => {
  it('of the corpus graphs needs no subgraph that only later parts need, or the rules say why', async () => {
    await askAll('of the corpus graphs', questionsOfCorpus(SEED))
  })

  it('of generated graphs needs no such subgraph, too', async () => {
    await askAll('of generated graphs', questionsOfWorlds(SEED, 10 * STREAMS))
  })
})

async function askAll(test: string, questions: Iterable<Asked>): Promise<void> {
  let streams = 0
  let checked = 0
  const table = new Map<string, number>()
  for (const { bench, seed, world } of questions) {
    if (streams >= STREAMS) break
    await RUN.ask({ test, seed, ...(world === undefined ? {} : { world }) }, async () => {
      const operation = deferredOperation(bench.monolith, seed)
      const found = await checkIndependence(bench, operation)
      if (found === null) return
      streams++
      checked += found.checked
      for (const dependence of found.dependences) {
        if (dependence.reasons === null) expect.fail(textOf(dependence, operation.query))
        for (const reason of dependence.reasons) table.set(reason, (table.get(reason) ?? 0) + 1)
      }
    })
  }
  if (STREAMS > 1_000)
    console.log(
      `${streams} streams, ${checked} subgraphs slow and failing in turn\n${REASONS.map((reason) => `  ${table.get(reason) ?? 0} ${reason}`).join('\n')}`,
    )
  // A short run may draw few operations whose later parts call a subgraph that nothing else calls.
  if (STREAMS >= 20) expect(checked).toBeGreaterThan(STREAMS >= 100 ? STREAMS / 4 : 0)
}

function textOf({ subgraph, effect, detail }: Dependence, query: string): string {
  return `${effect}, though only later parts need "${subgraph}"\n${query}\n${detail}`
}

import { RandomRun } from '@switchyard/testkit'
import { describe, it } from 'vitest'
import { type Asked, questionsOfCorpus, questionsOfWorlds } from '../../src/deferred/benches.ts'
import { type Check, checkDeferred, checkLostCalls } from '../../src/deferred/check-deferred.ts'
import { Tally } from '../../src/deferred/tally.ts'

/**
 * `SEED=… RUNS=… vitest run shared/corpus/test/deferred/streams.test.ts` repeats or lengthens a run;
 * `WORLD=…` looks at one generated graph, by the number that a failure names.
 */
const RUN = new RandomRun(import.meta.url, 40, 300)
const { seed: SEED, runs: STREAMS } = RUN
const ofCorpus = () => questionsOfCorpus(SEED)
const ofWorlds = () => questionsOfWorlds(SEED, 10 * STREAMS)

/** Every part is compared with what is expected, and subgraphs answer in a random order. */
describe(`deferred answers (SEED=${SEED} RUNS=${STREAMS})`, { timeout: RUN.timeout(1_200_000) }, () => {
  it('of the corpus graphs are exactly the parts that are expected, and merge to the answer without defer', async () => {
    const tally = await checkAll('of the corpus graphs', ofCorpus(), checkDeferred, STREAMS)
    tally.expectFair()
  })

  it('of generated graphs are exactly the parts that are expected, too', async () => {
    const tally = await checkAll('of generated graphs are', ofWorlds(), checkDeferred, STREAMS)
    tally.expectFair()
  })

  it('with calls to subgraphs lost keep every rule, and explain what is not there', async () => {
    const tally = await checkAll('with calls to subgraphs', ofCorpus(), checkLostCalls, STREAMS / 2)
    tally.expectFair(['in a list of lists', 'inputs from elsewhere'])
  })

  it('of generated graphs with calls lost do so, too', async () => {
    const tally = await checkAll('of generated graphs with', ofWorlds(), checkLostCalls, STREAMS / 2)
    tally.expectFair(['in a list of lists', 'inputs from elsewhere'])
  })
})

async function checkAll(
  test: string,
  questions: Iterable<Asked>,
  check: Check,
  streams: number,
): Promise<Tally> {
  const tally = new Tally()
  for (const question of questions) {
    if (tally.streams >= streams) break
    const { seed, world } = question
    await RUN.ask({ test, seed, ...(world === undefined ? {} : { world }) }, () =>
      tally.check(check, question),
    )
  }
  return tally
}

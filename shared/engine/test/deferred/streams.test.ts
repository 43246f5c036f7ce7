import { RandomRun } from '@switchyard/testkit'
import { describe, it } from 'vitest'
import { Random } from '../../../samples/src/index.ts'
import { createMonolith } from '../corpus/harness/monolith.ts'
import { createEngine } from '../corpus/harness/run-engine.ts'
import { SUITES } from '../corpus/suites/index.ts'
import { openWorld } from '../generated/check.ts'
import { generateWorld } from '../generated/generate.ts'
import { worldSeeds } from '../generated/campaign.ts'
import { type Bench, type Check, checkDeferred, checkLostCalls } from './check-deferred.ts'
import { type Question, Tally } from './tally.ts'

/**
 * `SEED=… RUNS=… vitest run shared/engine/test/deferred/streams.test.ts` repeats or lengthens a run; `WORLD=…` looks at one
 * generated graph, by the number that a failure names.
 */
const RUN = new RandomRun(import.meta.url, 1_000)
const { seed: SEED, runs: STREAMS } = RUN
const WORLD = process.env['WORLD']
const OPERATIONS_PER_WORLD = 20

/** Their subgraphs give canned answers, whatever is asked. */
const LEFT_OUT = new Set(['failing subgraphs', 'sloppy answers'])

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
    tally.expectFair(['in a list of lists'])
  })

  it('of generated graphs with calls lost do so, too', async () => {
    const tally = await checkAll('of generated graphs with', ofWorlds(), checkLostCalls, STREAMS / 2)
    tally.expectFair(['in a list of lists'])
  })
})

type Asked = Question & { readonly world?: number }

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

function* ofCorpus(): Generator<Asked> {
  const benches = openSuites()
  for (let seed = SEED; ; seed++) yield { bench: pick(benches, seed), seed }
}

/** Some operations for each world that composes. */
function* ofWorlds(): Generator<Asked> {
  const worlds = WORLD === undefined ? worldSeeds(SEED, 10 * STREAMS) : [Number(WORLD)]
  for (const world of worlds) {
    const opened = openWorld(generateWorld(world))
    if (opened.kind === 'refused') continue
    const first = WORLD === undefined ? world : SEED
    for (let index = 0; index < OPERATIONS_PER_WORLD; index++)
      yield { bench: opened.bench, seed: first + index, world }
  }
}

/** By schema: several suites ask different questions of the same one. */
function openSuites(): readonly Bench[] {
  const suites = SUITES.filter(({ name }) => !LEFT_OUT.has(name))
  return [...new Map(suites.map((suite) => [suite.monolith, suite])).values()].map((suite) => ({
    suite,
    monolith: createMonolith(suite),
    engine: createEngine(suite),
  }))
}

const LIST_OF_LISTS = /\[\[(?!Boolean|Float|ID|Int|String)[A-Z]/

/** Every eighth time one with lists of lists of objects, which are few. */
function pick(benches: readonly Bench[], seed: number): Bench {
  const random = new Random(seed)
  const some = benches.filter(({ suite }) => LIST_OF_LISTS.test(suite.monolith))
  return random.pick(random.below(8) === 0 ? some : benches)
}

import { describe, it } from 'vitest'
import { Random } from '../../../samples/src/index.ts'
import { createMonolith } from '../corpus/harness/monolith.ts'
import { createEngine } from '../corpus/harness/run-engine.ts'
import { SUITES } from '../corpus/suites/index.ts'
import { openWorld } from '../generated/check.ts'
import { generateWorld } from '../generated/generate.ts'
import { worldSeeds } from '../generated/campaign.ts'
import { type Bench, checkDeferred, checkLostCalls } from './check-deferred.ts'
import { Tally } from './tally.ts'

/** `SEED=… RUNS=… vitest run shared/engine/test/deferred/streams.test.ts` repeats or lengthens a run. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)
const STREAMS = Number(process.env['RUNS'] ?? 1_000)
const OPERATIONS_PER_WORLD = 20

/** Their subgraphs give canned answers, whatever is asked. */
const LEFT_OUT = new Set(['failing subgraphs', 'sloppy answers'])

/** Every part is compared with what is expected, and subgraphs answer in a random order. */
describe(`deferred answers (SEED=${SEED} RUNS=${STREAMS})`, { timeout: 1_200_000 }, () => {
  it('of the corpus graphs are exactly the parts that are expected, and merge to the answer without defer', async () => {
    const benches = openSuites()
    const tally = new Tally()
    for (let seed = SEED; tally.streams < STREAMS; seed++) {
      await tally.check(checkDeferred, pick(benches, seed), seed)
    }
    tally.expectFair()
  })

  it('of generated graphs are exactly the parts that are expected, too', async () => {
    const tally = new Tally()
    for (const { bench, seed, world } of openWorlds()) {
      if (tally.streams >= STREAMS) break
      await tally.check(checkDeferred, bench, seed, `WORLD=${world}, `)
    }
    tally.expectFair()
  })

  it('with calls to subgraphs lost keep every rule, and explain what is not there', async () => {
    const benches = openSuites()
    const tally = new Tally()
    for (let seed = SEED; tally.streams < STREAMS / 2; seed++) {
      await tally.check(checkLostCalls, pick(benches, seed), seed)
    }
    tally.expectFair(['in a list of lists'])
  })

  it('of generated graphs with calls lost do so, too', async () => {
    const tally = new Tally()
    for (const { bench, seed, world } of openWorlds()) {
      if (tally.streams >= STREAMS / 2) break
      await tally.check(checkLostCalls, bench, seed, `WORLD=${world}, `)
    }
    tally.expectFair(['in a list of lists'])
  })
})

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

/** Some operations for each world that composes. */
function* openWorlds() {
  for (const world of worldSeeds(SEED, 10 * STREAMS)) {
    const opened = openWorld(generateWorld(world))
    if (opened.kind === 'refused') continue
    for (let index = 0; index < OPERATIONS_PER_WORLD; index++)
      yield { bench: opened.bench, seed: world + index, world }
  }
}

/** The graphs that random operations with `@defer` are asked of, and which operation of each. */
import { Random } from '@switchyard/samples'
import { SUITES } from '../suites/index.ts'
import { worldSeeds } from '../generated/campaign.ts'
import { openWorld } from '../generated/check.ts'
import { generateWorld } from '../generated/generate.ts'
import type { Bench } from './check-deferred.ts'
import { benchOf } from './suite-bench.ts'
import type { Question } from './tally.ts'

export type Asked = Question & { readonly world?: number }

/** Looks at one generated graph, by the number that a failure names. */
const WORLD = process.env['WORLD']
const OPERATIONS_PER_WORLD = 20

/** Their subgraphs give canned answers, whatever is asked. */
const LEFT_OUT = new Set(['failing subgraphs', 'sloppy answers'])

export function* questionsOfCorpus(seed: number): Generator<Asked> {
  const benches = openSuites()
  for (let next = seed; ; next++) yield { bench: pick(benches, next), seed: next }
}

/** Some operations for each world that composes, of so many that are tried. */
export function* questionsOfWorlds(seed: number, count: number): Generator<Asked> {
  const worlds = WORLD === undefined ? worldSeeds(seed, count) : [Number(WORLD)]
  for (const world of worlds) {
    const opened = openWorld(generateWorld(world))
    if (opened.kind === 'refused') continue
    const first = WORLD === undefined ? world : seed
    for (let index = 0; index < OPERATIONS_PER_WORLD; index++)
      yield { bench: opened.bench, seed: first + index, world }
  }
}

/** Opens one bench for each schema, since several suites use the same schema with different operations. */
function openSuites(): readonly Bench[] {
  const suites = SUITES.filter(({ name }) => !LEFT_OUT.has(name))
  return [...new Map(suites.map((suite) => [suite.monolith, suite])).values()].map(benchOf)
}

const LIST_OF_LISTS = /\[\[(?!Boolean|Float|ID|Int|String)[A-Z]/

/** Picks a bench. Every eighth time it is one with lists of lists of objects, of which there are few. */
function pick(benches: readonly Bench[], seed: number): Bench {
  const random = new Random(seed)
  const some = benches.filter(({ suite }) => LIST_OF_LISTS.test(suite.monolith))
  return random.pick(random.below(8) === 0 ? some : benches)
}

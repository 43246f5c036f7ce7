/**
 * Reach and the planner agree: a graph without findings has a plan for every operation, and the operation of
 * each finding has none. Asked are the graphs of the corpus, and graphs from which something was taken away.
 */
import { judgeReach } from '@switchyard/composition/reach'
import { compileSupergraph, type Graph, openGraph, planOperation, prepareOperation } from '@switchyard/engine'
import { Random, randomOperation } from '@switchyard/samples'
import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { compose } from '@switchyard/composition'
import { worldSeeds } from '../src/generated/campaign.ts'
import { generateWorld } from '../src/generated/generate.ts'
import { supergraphOf } from '../src/harness/supergraph-of.ts'
import { SUITES } from '../src/suites/index.ts'

/** `SEED=… RUNS=… vitest run shared/corpus/test/reach.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 40, 400)
const OPERATIONS = 40

/** Suites in which clients may ask for a type that nobody tells. */
const UNTOLD = new Map([['interface objects without implementations', ['Badge.__typename']]])

describe('a graph of the corpus', () => {
  it.each(SUITES)('has a plan for everything: $name', (suite) => {
    const { findings, isDecided } = judge(openGraph(compileSupergraph(supergraphOf(suite))))
    expect(isDecided).toBe(true)
    const fields = findings.map(({ field }) => `${field.type}.${field.name}`)
    expect(fields).toEqual(UNTOLD.get(suite.name) ?? [])
  })
})

describe('a graph from which something was taken away', () => {
  it(`is refused if and only if an operation has no plan (seed ${RUN.seed})`, {
    timeout: RUN.timeout(300_000),
  }, () => {
    const counts = { graphs: 0, accepted: 0, refused: 0, planned: 0, unplanned: 0 }
    for (const { name, sdl, seed } of spoiltGraphs()) {
      const graph = openGraph(compileSupergraph(sdl))
      const { findings } = judge(graph)
      counts.graphs += 1
      if (findings.length === 0) counts.accepted += 1
      else counts.refused += 1
      for (const { operation, labels } of findings) {
        counts.unplanned += 1
        const missing = unreachableIn(graph, operation, labels)
        expect(missing.length, `${name} ${seed}\n${operation}\n${sdl}`).toBeGreaterThan(0)
      }
      const random = new Random(seed)
      for (let index = 0; findings.length === 0 && index < OPERATIONS; index++) {
        const tape = Array.from({ length: 150 }, () => random.below(5040))
        const { query } = randomOperation(graph.apiSchema, tape)
        const labels = graph.labels.filter(() => random.chance(50))
        counts.planned += 1
        expect(unreachableIn(graph, query, labels), `${name} ${seed}\n${query}\n${sdl}`).toEqual([])
      }
    }
    console.log(`SEED=${RUN.seed} RUNS=${RUN.runs}: ${JSON.stringify(counts)}`)
    expect(counts.refused).toBeGreaterThan(0)
  })
})

function unreachableIn(graph: Graph, query: string, labels: readonly string[]) {
  const operation = prepareOperation(graph, { document: query })
  return planOperation(operation, new Map(), { labels: new Set(labels) }).unreachable
}

/** Suites and generated worlds, each with one to three join directives changed. */
function* spoiltGraphs(): Generator<{ readonly name: string; readonly sdl: string; readonly seed: number }> {
  for (const seed of worldSeeds(RUN.seed, RUN.runs)) {
    const random = new Random(seed)
    const suite = random.pick(SUITES)
    yield { name: suite.name, sdl: spoil(supergraphOf(suite), random), seed }
    const { subgraphs } = generateWorld(seed)
    const composed = compose({
      subgraphs: Object.entries(subgraphs).map(([name, sdl]) => ({ name, sdl, routingUrl: 'http://x/' })),
    })
    if (composed.kind === 'composed')
      yield { name: 'world', sdl: spoil(composed.supergraphSdl, random), seed }
  }
}

function spoil(sdl: string, random: Random): string {
  let spoilt = sdl
  for (let left = random.below(4); left > 0; left--) {
    const [pattern, replacement] = random.pick(CHANGES)
    const places = [...spoilt.matchAll(pattern)]
    if (places.length === 0) continue
    const { index, 0: text } = random.pick(places)
    spoilt = spoilt.slice(0, index) + text.replace(pattern, replacement) + spoilt.slice(index + text.length)
  }
  return spoilt
}

const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/(@join__type\(graph: \w+, key: "[^"]*")(?!, resolvable)/g, '$1, resolvable: false'],
  [/(@join__field\(graph: \w+)(?!, external)(?=\))/g, '$1, external: true'],
  [/ @join__type\(graph: \w+, key: "[^"]*"[^)]*\)(?=[^{]*@join__type)/g, ''],
  [/(, provides: "[^"]*")/g, ''],
]

function judge(graph: Graph) {
  const types = new Map(graph.compiled.api.types.map((type) => [type.name, type]))
  return judgeReach(graph, (name) => types.get(name))
}

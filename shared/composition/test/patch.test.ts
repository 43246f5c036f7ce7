/** Graphs that are compiled from the ones before them, over random changes of subgraphs. */
import { compose, type SubgraphInput } from '@switchyard/composition'
import {
  applyPatch,
  compileSupergraph,
  type CompiledGraph,
  patchGraph,
  splitSchema,
} from '@switchyard/engine'
import { Random } from '@switchyard/samples'
import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { editGraph } from './random-edits.ts'
import { SETS } from './sets/index.ts'

const RUN = new RandomRun(import.meta.url, 60, 1000)
const EDITS = 20

const COMPOSING = Object.values(SETS)
  .flat()
  .flatMap((set) => ('facts' in set ? [subgraphsOf(set.subgraphs)] : []))

function subgraphsOf(sdls: Readonly<Record<string, string>>): readonly SubgraphInput[] {
  return Object.entries(sdls).map(([name, sdl]) => ({ name, sdl, routingUrl: `http://${name}/` }))
}

/** The texts of a graph after random changes, as far as it composes. */
function textsOf(seed: number): readonly string[] {
  const random = new Random(seed)
  let graph = random.pick(COMPOSING)
  const texts: string[] = []
  for (let edit = 0; edit < EDITS; edit++) {
    const next = editGraph(graph, COMPOSING, random)
    const result = compose({ subgraphs: next })
    if (result.kind === 'failed') continue
    graph = next
    texts.push(result.supergraphSdl)
  }
  return texts
}

function compiled(text: string): CompiledGraph | null {
  try {
    return compileSupergraph(text)
  } catch {
    return null
  }
}

describe('a graph that is compiled from the one before', () => {
  it(`is what its text compiles to (SEED=${RUN.seed} RUNS=${RUN.runs})`, {
    timeout: RUN.timeout(60_000),
  }, async () => {
    let patched = 0
    for (let index = 0; index < RUN.runs; index++) {
      const seed = RUN.seed + index
      await RUN.ask({ test: 'a graph that is compiled from the one before', seed }, () => {
        const [first = '', ...others] = textsOf(seed)
        let before = { text: first, graph: compiled(first) }
        for (const text of others) {
          const graph = compiled(text)
          const found =
            before.graph === null
              ? null
              : patchGraph(before.graph, splitSchema(before.text), splitSchema(text))
          if (found !== null && before.graph !== null) {
            patched += 1
            expect(found.compiled).toEqual(graph)
            expect(applyPatch(before.graph, found.patch)).toEqual(graph)
            // The next change starts from a graph that was patched itself.
            before = { text, graph: found.compiled }
          } else before = { text, graph }
        }
        return Promise.resolve()
      })
    }
    expect(patched).toBeGreaterThan(RUN.runs)
  })
})

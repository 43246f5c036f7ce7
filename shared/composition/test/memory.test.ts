import { compose, CompositionMemory, type SubgraphInput } from '@switchyard/composition'
import { Random } from '@switchyard/samples'
import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { readMarks } from './errors/marks.ts'
import { mergeErrors } from './errors/merge-errors.ts'
import { unreachable } from './errors/unreachable.ts'
import { editGraph } from './random-edits.ts'
import { SETS } from './sets/index.ts'

/** Chains of edits. `RUNS=10000` is what a campaign makes. */
const RUN = new RandomRun(import.meta.url, 60, 2000)
const EDITS = 20

const COMPOSING = Object.values(SETS)
  .flat()
  .filter((set) => 'facts' in set)
  .map(({ subgraphs }) => inputs(subgraphs))
const MISTAKEN = [...mergeErrors, ...unreachable].map((set) => inputs(readMarks(set).sdls))

function inputs(sdls: Readonly<Record<string, string>>): readonly SubgraphInput[] {
  return Object.entries(sdls).map(([name, sdl]) => ({ name, routingUrl: `http://${name}`, sdl }))
}

/** A graph, and changes of it: most of them small, some back to what it was before. */
function* chain(seed: number): Iterable<readonly SubgraphInput[]> {
  const random = new Random(seed)
  const others = random.chance(70) ? COMPOSING : MISTAKEN
  const past = [random.pick(COMPOSING)]
  for (let edit = 0; edit < EDITS; edit++) {
    const graph = random.chance(15) ? random.pick(past) : editGraph(past.at(-1) ?? [], others, random)
    past.push(
      random.chance(40) && compose({ subgraphs: graph }).kind === 'failed' ? (past.at(-1) ?? []) : graph,
    )
    yield graph
  }
}

describe('a composition with a memory', () => {
  it(`says the same as one without, to the byte (SEED=${RUN.seed} RUNS=${RUN.runs})`, {
    timeout: RUN.timeout(60_000),
  }, async () => {
    let composed = 0
    for (let index = 0; index < RUN.runs; index++) {
      const seed = RUN.seed + index
      await RUN.ask({ test: 'a composition with a memory', seed }, () => {
        const memory = new CompositionMemory()
        for (const [edit, subgraphs] of [...chain(seed)].entries()) {
          const cold = compose({ subgraphs })
          if (cold.kind === 'composed') composed += 1
          expect(compose({ subgraphs }, memory), `edit ${edit}`).toEqual(cold)
        }
        return Promise.resolve()
      })
    }
    expect(composed).toBeGreaterThan(RUN.runs)
  })
})

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

describe('a composition with a memory reads again', () => {
  const V =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@inaccessible", "@composeDirective"])\n'

  function expectSame(steps: readonly Readonly<Record<string, string>>[]): readonly string[] {
    const memory = new CompositionMemory()
    return steps.map((sdls, step) => {
      const subgraphs = inputs(sdls)
      const cold = compose({ subgraphs })
      expect(compose({ subgraphs }, memory), `step ${step}`).toEqual(cold)
      return cold.kind
    })
  }

  it('what a requirement needs through a union that is provided below a hidden field', () => {
    const graph = (members: string) => ({
      a: `${V} type Query { t: T px: X @provides(fields: "x") }
        type T @key(fields: "id") { id: ID! rel: X @inaccessible @provides(fields: "... on U { ... on X { x } }") }
        type X { k: ID! @shareable x: Int @external } type Y { n: Int @shareable } union U = ${members}`,
      b: `${V} type T @key(fields: "id") { id: ID! rel: X @external z: Int @requires(fields: "rel { x }") }
        type X { k: ID! @shareable x: Int @external }`,
      c: `${V} type X { x: Int @shareable k: ID! @shareable } type Query { xx: X }`,
    })
    const steps = [graph('X | Y'), graph('Y'), graph('X | Y')]
    expect(expectSame(steps)).toEqual(['composed', 'failed', 'composed'])
  })

  it('types that a composed directive of another subgraph takes for itself', () => {
    const b = `${V} scalar foo__Bar type T { t: foo__Bar } type Query { x: T }`
    const without = { a: `${V} type A { a: Int } type Query { a: A }`, b }
    const composing = {
      a: `${V} extend schema @link(url: "https://specs.example.com/foo/v1.0", import: ["@foo"]) @composeDirective(name: "@foo")
        directive @foo on FIELD_DEFINITION type A { a: Int @foo } type Query { a: A }`,
      b,
    }
    expect(expectSame([without, composing, without])).toEqual(['composed', 'failed', 'composed'])
  })

  // Each definition is on a line of its own, so that a type that nobody edits is read once.
  it('what a key of another type selects', () => {
    const graph = (key: string) => ({
      a: `${V}type Query { t: T }\ntype T @key(fields: "${key}") { id: ID! b: B @shareable }\ntype B { y: Int w: Int }`,
      b: `${V}type T @key(fields: "b { w y }") { b: B @shareable c: Int }\ntype B { y: Int w: Int }`,
    })
    const steps = [graph('b { w y }'), graph('b { w }'), graph('b { w y }')]
    expect(expectSame(steps)).toEqual(['composed', 'failed', 'composed'])
  })

  it('what a field requires that another subgraph takes over', () => {
    const graph = (from: string) => ({
      a: `${V}type Query { t: T }\ntype T @key(fields: "id") { id: ID! s: S @shareable z: Int @shareable @requires(fields: "s { x }") }\ntype S @key(fields: "id") { id: ID! x: Int @external }`,
      b: `${V}type T @key(fields: "id") { id: ID! s: S @shareable }\ntype S @key(fields: "id") { id: ID! x: Int }`,
      c: `${V}type T @key(fields: "id") { id: ID! z: Int @shareable @override(from: "${from}") }`,
    })
    const steps = [graph('nobody'), graph('a'), graph('nobody')]
    expect(expectSame(steps)).toEqual(['composed', 'composed', 'composed'])
  })
})

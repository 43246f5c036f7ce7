/** Graphs that are compiled from the ones before them, over random changes of subgraphs. */
import { compose, type SubgraphInput } from '@switchyard/composition'
import {
  applyPatch,
  compilePatchable,
  compileSupergraph,
  type CompiledGraph,
  type GraphPatch,
  joinPatches,
  openGraph,
  patchGraph,
  planOperation,
  prepareOperation,
  printPlan,
  splitSchema,
} from '@switchyard/engine'
import { Random, sampleOperations } from '@switchyard/samples'
import { isLongRun, RandomRun } from '@switchyard/testkit'
import { graphByNames } from '@switchyard/testkit/graph-by-names'
import { printSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { editGraph } from './random-edits.ts'
import { SETS } from './sets/index.ts'

const RUN = new RandomRun(import.meta.url, 60, 1000)
/** Changes of one graph, one after the other. */
const EDITS = isLongRun() ? 50 : 20
const OPERATIONS = 4

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

/** The plans of sample operations, as they are printed, and the schema that clients see. */
function answersOf(compiledGraph: CompiledGraph, seed: number): readonly string[] {
  const graph = openGraph(compiledGraph)
  const schema = printSchema(graph.apiSchema)
  if (graph.apiSchema.getQueryType() == null) return [schema]
  const plans = sampleOperations(graph.apiSchema, { count: OPERATIONS, seed }).map((sample) => {
    try {
      const operation = prepareOperation(graph, { document: sample.query })
      const variables = operation.coerceVariables(sample.variables)
      return printPlan(graph, planOperation(operation, variables))
    } catch (error) {
      return String(error)
    }
  })
  return [schema, ...plans]
}

function namesOf({ types }: CompiledGraph): readonly string[] {
  return types.map(({ name }) => name).sort()
}

/** The types that the graph finds by their names, of its own names and of those of the other graph. */
function typesFoundIn(graph: CompiledGraph, other: CompiledGraph): readonly string[] {
  const { typeByName } = openGraph(graph)
  const names = new Set([...namesOf(graph), ...namesOf(other)])
  const found = [...names].flatMap((name) => {
    const id = typeByName.get(name)
    return id === undefined ? [] : [graph.types[id]?.name ?? '']
  })
  return found.sort()
}

describe('a graph that is compiled from the one before', () => {
  it(`is what its text compiles to, and plans alike (SEED=${RUN.seed} RUNS=${RUN.runs})`, {
    timeout: RUN.timeout(60_000),
  }, async () => {
    const patched = { alone: 0, together: 0 }
    for (let index = 0; index < RUN.runs; index++) {
      const seed = RUN.seed + index
      await RUN.ask({ test: 'a graph that is compiled from the one before', seed }, async () => {
        const [first = '', ...others] = textsOf(seed)
        const whole = compiled(first)
        if (whole === null) return
        let before: { text: string; graph: CompiledGraph; patch: GraphPatch | null } = {
          text: first,
          graph: whole,
          patch: null,
        }
        for (const text of others) {
          const fresh = compiled(text)
          if (fresh === null) return
          const found = await patchGraph(before.graph, splitSchema(before.text), splitSchema(text))
          if (found === null) continue
          patched.alone += 1
          expect(compilePatchable(text)).toEqual({ compiled: fresh, isPatchable: true })
          expect(graphByNames(found.compiled)).toEqual(graphByNames({ ...fresh, removed: [] }))
          expect(answersOf(found.compiled, seed)).toEqual(answersOf(fresh, seed))
          expect(typesFoundIn(found.compiled, fresh)).toEqual(namesOf(fresh))
          const patch = before.patch === null ? found.patch : joinPatches(before.patch, found.patch)
          expect(applyPatch(whole, patch)).toEqual(found.compiled)
          if (patch !== found.patch) patched.together += 1
          // The next change starts from a graph that was patched itself.
          before = { text, graph: found.compiled, patch }
        }
      })
    }
    expect(patched.alone).toBeGreaterThan(2 * RUN.runs)
    expect(patched.together).toBeGreaterThan(RUN.runs)
  })
})

/** The graph that every hunted router serves, and settings that make each input the first of its kind. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MeasuredRouter, startMeasuredRouter } from '../measuring/measured-router.ts'
import { type HuntedGraph, huntedGraph } from './hunted-graph.ts'
import { type InventedSubgraphs, startSubgraphs } from './subgraphs.ts'

/**
 * Settings of a hunted router. Limits are the defaults, but planning has time for every input, since the
 * hunt is one client that never rests.
 */
const SETTINGS = `
access_log: { enabled: false }
engine: { enable_defer: true }
planning: { budget: 1h }
`
const FORGETFUL = `${SETTINGS}
cache: { operations: 1B }
`

export type Ground = AsyncDisposable & {
  readonly graph: HuntedGraph
  readonly subgraphs: InventedSubgraphs
  /** Starts a router. `remembersOperations` is false if operations are what is hunted. */
  readonly startRouter: (options: { readonly remembersOperations: boolean }) => Promise<MeasuredRouter>
}

export async function openGround(types: number): Promise<Ground> {
  await using parts = new AsyncDisposableStack()
  const subgraphs = parts.use(await startSubgraphs())
  const graph = huntedGraph(subgraphs.urls, types)
  subgraphs.serve(graph)
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-hunt-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const supergraph = join(folder, 'supergraph.graphql')
  await writeFile(supergraph, graph.supergraph)
  const all = parts.move()
  return {
    graph,
    subgraphs,
    startRouter: ({ remembersOperations }) =>
      startMeasuredRouter({ supergraph, settings: remembersOperations ? SETTINGS : FORGETFUL }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

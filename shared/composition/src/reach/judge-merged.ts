/** Judges the merged graph, with what was found out about the one before. */
import type { TypeId } from '@switchyard/engine/moves'
import type { MergedGraph } from '../merge/merged.ts'
import type { SupergraphSubgraph } from '../supergraph/print-header.ts'
import type { KeptParts } from './kept-parts.ts'
import { judgeReach, type ReachBefore } from './reach.ts'
import { sampleTypes } from './sample-types.ts'
import { typeGraphOf, type KeptReachGraph } from './type-graph.ts'
import type { ReachVerdict } from './unreachable-field.ts'

/** The graph of a composition, and what was found out about parts of it; null if that is not kept. */
export type KeptReach = { readonly graph: KeptReachGraph; readonly parts: KeptParts | null }

/**
 * The verdict, and what the next composition may keep of it. `changed` are the names of the types that are
 * not what they were in `before`.
 */
export function judgeMerged(
  merged: MergedGraph,
  subgraphs: readonly SupergraphSubgraph[],
  before: KeptReach | null,
  changed: ReadonlySet<string>,
): ReachVerdict & { readonly kept: KeptReach } {
  const graph = typeGraphOf(merged, subgraphs, before === null ? null : { graph: before.graph, changed })
  const known = before === null ? null : partsBefore(graph, before, changed)
  const { parts, ...verdict } = judgeReach(graph.typeGraph.graph, sampleTypes(merged), known)
  return { ...verdict, kept: { graph, parts } }
}

/**
 * Null if ids mean something else now, or a type has become one of another kind, or hidden: who leads to it
 * has not changed then, and what is found from there may have.
 */
function partsBefore(
  { typeGraph, values }: KeptReachGraph,
  { graph, parts }: KeptReach,
  changed: ReadonlySet<string>,
): ReachBefore | null {
  if (parts === null || !typeGraph.keepsIds || values.length !== graph.values.length) return null
  const ids = new Set<TypeId>()
  for (const name of changed) {
    const id = typeGraph.tables.numbers.get(name)
    if (id === undefined) continue
    const [now, then] = [typeGraph, graph.typeGraph].map((one) => one.graph.compiled.types[id])
    if (now !== undefined && then !== undefined)
      if (now.kind !== then.kind || now.inaccessible !== then.inaccessible) return null
    ids.add(id)
  }
  return { parts, changed: ids }
}

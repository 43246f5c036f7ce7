/**
 * The graphs that have to be looked at again between two states: the registry waits for them, the composer
 * works on them.
 *
 * - a graph that was created, changed, pinned, unpinned or removed;
 * - the graphs that contain or contained a base subgraph that changed;
 * - the graphs of a flag that changed, or of which a member changed: those it applied to before or applies to
 *   now;
 * - the graphs of a preview that changed, likewise.
 *
 * Ask for one record at a time and unite the answers: over several records, a flag switched on and off again
 * leaves two equal states, yet somebody waits for each of the two.
 */
import { flagApplies } from './applicability.ts'
import type { FederatedGraph, NamespaceState } from './state/namespace-state.ts'
import { previewApplies, takesPart } from './state/previews.ts'

/** Sorted names. */
export function affectedGraphs(before: NamespaceState, after: NamespaceState): readonly string[] {
  const affected = new Set(before.graphs.changedKeys(after.graphs))
  const subgraphs = before.subgraphs.changedKeys(after.subgraphs)
  const flags = new Set([...before.flags.changedKeys(after.flags), ...flagsWith(after, subgraphs)])
  const previews = before.previews.changedKeys(after.previews)
  if (subgraphs.size > 0 || flags.size > 0 || previews.size > 0) {
    for (const state of [before, after]) {
      for (const graph of state.graphs.values()) {
        if (affected.has(graph.name)) continue
        const isAffected =
          contains(state, graph, subgraphs) ||
          hasFlag(state, graph, flags) ||
          hasPreview(state, graph, previews)
        if (isAffected) affected.add(graph.name)
      }
    }
  }
  return [...affected].sort()
}

/** Flags of which one of these feature subgraphs is a member. */
export function flagsWith(state: NamespaceState, subgraphs: ReadonlySet<string>): ReadonlySet<string> {
  if (subgraphs.size === 0) return subgraphs
  const flags = [...state.flags.values()].filter(({ featureSubgraphs }) =>
    featureSubgraphs.some((member) => subgraphs.has(member)),
  )
  return new Set(flags.map(({ name }) => name))
}

/** Whether one of these subgraphs takes part in the graph. */
export function contains(
  state: NamespaceState,
  graph: FederatedGraph,
  subgraphs: ReadonlySet<string>,
): boolean {
  for (const name of subgraphs) if (takesPart(graph, state.subgraphs.get(name))) return true
  return false
}

/** Whether one of these flags applies to the graph. */
export function hasFlag(state: NamespaceState, graph: FederatedGraph, flags: ReadonlySet<string>): boolean {
  for (const name of flags) {
    const flag = state.flags.get(name)
    if (flag !== undefined && flagApplies(state, graph, flag)) return true
  }
  return false
}

/** Whether one of these previews applies to the graph. */
export function hasPreview(
  state: NamespaceState,
  graph: FederatedGraph,
  previews: ReadonlySet<string>,
): boolean {
  for (const name of previews) {
    const preview = state.previews.get(name)
    if (preview !== undefined && previewApplies(state, graph, preview)) return true
  }
  return false
}

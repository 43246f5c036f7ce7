/**
 * The graphs that have to be looked at again between two states: the registry waits for them, the composer
 * works on them.
 *
 * - a graph that was created, changed, pinned, unpinned or removed;
 * - the graphs that contain or contained a base subgraph that changed;
 * - the graphs of a flag that changed, or of which a member changed: those it applied to before or applies to
 *   now.
 *
 * Ask for one record at a time and unite the answers: over several records, a flag switched on and off again
 * leaves two equal states, yet somebody waits for each of the two.
 */
import { flagApplies, takesPart } from './applicability.ts'
import type { FederatedGraph, NamespaceState } from './namespace-state.ts'

/** Sorted names. */
export function affectedGraphs(before: NamespaceState, after: NamespaceState): readonly string[] {
  const affected = new Set(before.graphs.changedKeys(after.graphs))
  const subgraphs = before.subgraphs.changedKeys(after.subgraphs)
  const flags = changedFlags(before, after, subgraphs)
  if (subgraphs.size > 0 || flags.size > 0) {
    for (const state of [before, after]) {
      for (const graph of state.graphs.values()) {
        if (affected.has(graph.name)) continue
        if (contains(state, graph, subgraphs) || hasFlag(state, graph, flags)) affected.add(graph.name)
      }
    }
  }
  return [...affected].sort()
}

/** Flags that are other than before, themselves or in one of their members. */
function changedFlags(
  before: NamespaceState,
  after: NamespaceState,
  subgraphs: ReadonlySet<string>,
): ReadonlySet<string> {
  const changed = new Set(before.flags.changedKeys(after.flags))
  if (subgraphs.size === 0) return changed
  for (const flag of after.flags.values()) {
    if (flag.featureSubgraphs.some((member) => subgraphs.has(member))) changed.add(flag.name)
  }
  return changed
}

function contains(state: NamespaceState, graph: FederatedGraph, subgraphs: ReadonlySet<string>): boolean {
  for (const name of subgraphs) if (takesPart(graph, state.subgraphs.get(name))) return true
  return false
}

function hasFlag(state: NamespaceState, graph: FederatedGraph, flags: ReadonlySet<string>): boolean {
  for (const name of flags) {
    const flag = state.flags.get(name)
    if (flag !== undefined && flagApplies(state, graph, flag)) return true
  }
  return false
}

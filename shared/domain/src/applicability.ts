/** Which subgraphs take part in a graph, and whether a flag applies to it. */
import { groupsMatch } from '@switchyard/contracts'
import type {
  FeatureFlag,
  FeatureSubgraph,
  FederatedGraph,
  NamespaceState,
  PublishedSchema,
  Subgraph,
} from './state/namespace-state.ts'
import { takesPart } from './state/previews.ts'

export type Published<Kind extends Subgraph> = Kind & { readonly schema: PublishedSchema }

export type FlagMembers = {
  readonly published: readonly Published<FeatureSubgraph>[]
  /** Left out of every composition until they have a schema. */
  readonly unpublished: readonly string[]
}

export type Applicability =
  | { readonly kind: 'applies' }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'other-labels' }
  | { readonly kind: 'nothing-published' }
  /** These base subgraphs, which the flag replaces, take no part in the graph. */
  | { readonly kind: 'base-missing'; readonly bases: readonly string[] }

export function isPublished<Kind extends Subgraph>(subgraph: Kind): subgraph is Published<Kind> {
  return subgraph.schema !== null
}

export function flagMembers(state: NamespaceState, flag: FeatureFlag): FlagMembers {
  const published: Published<FeatureSubgraph>[] = []
  const unpublished: string[] = []
  for (const name of flag.featureSubgraphs) {
    const subgraph = state.subgraphs.get(name)
    if (subgraph?.kind !== 'feature-subgraph') continue
    if (isPublished(subgraph)) published.push(subgraph)
    else unpublished.push(name)
  }
  return { published, unpublished }
}

/** Why a flag applies to a graph or does not, the first reason that a person would fix first. */
export function flagApplicability(
  state: NamespaceState,
  graph: FederatedGraph,
  flag: FeatureFlag,
): Applicability {
  if (!groupsMatch(graph.labelGroups, flag.labels)) return { kind: 'other-labels' }
  if (!flag.enabled) return { kind: 'disabled' }
  const { published } = flagMembers(state, flag)
  if (published.length === 0) return { kind: 'nothing-published' }
  const bases = published
    .map((member) => member.base)
    .filter((base) => !takesPart(graph, state.subgraphs.get(base)))
  return bases.length === 0 ? { kind: 'applies' } : { kind: 'base-missing', bases }
}

export function flagApplies(state: NamespaceState, graph: FederatedGraph, flag: FeatureFlag): boolean {
  return flagApplicability(state, graph, flag).kind === 'applies'
}

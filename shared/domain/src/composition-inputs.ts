/** The inputs from which a graph is composed: its base, and one variant for each flag that applies to it. */
import { flagApplies, flagMembers, isPublished, takesPart } from './applicability.ts'
import { isLaunched } from './state/launches.ts'
import {
  compareNames,
  type NamespaceState,
  type PublishedDocuments,
  sortedByName,
} from './state/namespace-state.ts'

export type SubgraphToCompose = {
  readonly name: string
  readonly routingUrl: string
  /** Hash of the SDL blob. */
  readonly schema: string
  /** The size of the SDL in UTF-8. */
  readonly bytes: number
  /** The subgraph that a feature subgraph replaces; null for others. */
  readonly baseName: string | null
}

export type FlagInput = {
  readonly name: string
  /** Feature subgraphs of the flag that are left out, since they have no published schema. Sorted. */
  readonly unpublished: readonly string[]
  /** Those of the base if the flag is launched. */
  readonly subgraphs: readonly SubgraphToCompose[]
}

export type CompositionInputs = {
  /** Sorted by name; empty when nothing that matches is published. */
  readonly base: readonly SubgraphToCompose[]
  /** Every flag that applies, sorted by name. */
  readonly flags: readonly FlagInput[]
  readonly pinnedRevision: number | null
  /** Sequence of the last record that asked for the graph to be published once more. */
  readonly republished: number | null
  readonly allowUnenforcedAuthorization: boolean
  /** The graph's manifests of persisted documents, by name. */
  readonly documents: readonly PublishedDocuments[]
}

/** Null when there is no such graph. */
export function compositionInputs(state: NamespaceState, graphName: string): CompositionInputs | null {
  const graph = state.graphs.get(graphName)
  if (graph === undefined) return null
  const base: SubgraphToCompose[] = []
  for (const subgraph of state.subgraphs.values()) {
    if (takesPart(graph, subgraph) && isPublished(subgraph)) base.push(inputOf(subgraph, null))
  }
  base.sort((left, right) => compareNames(left.name, right.name))
  const flags: FlagInput[] = []
  for (const flag of sortedByName(state.flags.values())) {
    if (!flagApplies(state, graph, flag)) continue
    if (isLaunched(state, flag)) {
      flags.push({ name: flag.name, unpublished: [], subgraphs: base })
      continue
    }
    const members = flagMembers(state, flag)
    const replacements = new Map(members.published.map((member) => [member.base, member]))
    const subgraphs = base.map((input) => {
      const replacement = replacements.get(input.name)
      return replacement === undefined ? input : inputOf(replacement, replacement.base)
    })
    subgraphs.sort((left, right) => compareNames(left.name, right.name))
    flags.push({ name: flag.name, unpublished: members.unpublished, subgraphs })
  }
  const { pinnedRevision, republished, allowUnenforcedAuthorization, documents } = graph
  return { base, flags, pinnedRevision, republished, allowUnenforcedAuthorization, documents }
}

function inputOf(
  subgraph: {
    readonly name: string
    readonly routingUrl: string
    readonly schema: { readonly sha256: string; readonly bytes: number }
  },
  baseName: string | null,
): SubgraphToCompose {
  return {
    name: subgraph.name,
    routingUrl: subgraph.routingUrl,
    schema: subgraph.schema.sha256,
    bytes: subgraph.schema.bytes,
    baseName,
  }
}

/**
 * The inputs from which a graph is composed: its base, and one variant for each flag and each preview that
 * applies to it.
 */
import { flagApplies, flagMembers, isPublished } from './applicability.ts'
import { isLaunched } from './state/launches.ts'
import {
  compareNames,
  type NamespaceState,
  type Preview,
  type PublishedDocuments,
  sortedByName,
} from './state/namespace-state.ts'
import { previewApplies, previewSubgraphName, takesPart } from './state/previews.ts'

export type SubgraphToCompose = {
  readonly name: string
  readonly routingUrl: string
  /** Hash of the SDL blob. */
  readonly schema: string
  /** The size of the SDL in UTF-8. */
  readonly bytes: number
  /** The subgraph that a feature subgraph replaces; null for others. */
  readonly baseName: string | null
  /** Set if it belongs to a preview. */
  readonly preview?: true
}

export type FlagInput = {
  readonly name: string
  /** Feature subgraphs of the flag that are left out, since they have no published schema. Sorted. */
  readonly unpublished: readonly string[]
  /** Those of the base if the flag is launched. */
  readonly subgraphs: readonly SubgraphToCompose[]
}

export type PreviewInput = FlagInput & { readonly expires: string }

export type CompositionInputs = {
  /** Sorted by name; empty when nothing that matches is published. */
  readonly base: readonly SubgraphToCompose[]
  /** Every flag that applies, sorted by name. */
  readonly flags: readonly FlagInput[]
  /** Every preview that applies, by the name that requests give, sorted. */
  readonly previews: readonly PreviewInput[]
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
    const subgraphs = replaced(
      base,
      members.published.map((member) => inputOf(member, member.base)),
    )
    flags.push({ name: flag.name, unpublished: members.unpublished, subgraphs })
  }
  const previews = sortedByName(state.previews.values())
    .filter((preview) => previewApplies(state, graph, preview))
    .map((preview) => ({
      name: preview.flag,
      unpublished: [],
      subgraphs: replaced(base, inputsOfPreview(preview)),
      expires: preview.expires,
    }))
  const { pinnedRevision, republished, allowUnenforcedAuthorization, documents } = graph
  return { base, flags, previews, pinnedRevision, republished, allowUnenforcedAuthorization, documents }
}

/** The subgraphs of base with these in the place of those that they replace. */
function replaced(
  base: readonly SubgraphToCompose[],
  replacements: readonly SubgraphToCompose[],
): readonly SubgraphToCompose[] {
  const byBase = new Map(replacements.map((replacement) => [replacement.baseName, replacement]))
  return base
    .map((input) => byBase.get(input.name) ?? input)
    .sort((left, right) => compareNames(left.name, right.name))
}

/** The subgraphs of a preview. Their names have its random part, so that nothing else has the same names. */
function inputsOfPreview({ flag, subgraphs }: Preview): readonly SubgraphToCompose[] {
  return subgraphs.map(({ base, routingUrl, schema, bytes }) => ({
    name: previewSubgraphName(base, flag),
    routingUrl,
    schema,
    bytes,
    baseName: base,
    preview: true as const,
  }))
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

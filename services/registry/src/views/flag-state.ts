/**
 * The state of a flag in a graph: `served`, `pending`, or `not served` with a reason that people can act on.
 */
import { artifactOf, type RecordedResult } from '@switchyard/contracts'
import {
  type FeatureFlag,
  type FederatedGraph,
  flagApplicability,
  type NamespaceState,
  type Preview,
} from '@switchyard/domain'
import type { CompositionEntry } from '../reading/composition-results.ts'
import type { PublishedConfig } from '../reading/published-configs.ts'
import { contentWantedBy } from '../reading/revision-for.ts'
import { currentResult, type ViewSources } from './view-sources.ts'

/** Returns the state of a flag. Null if its labels do not choose the graph and no router has it. */
export function flagState(
  sources: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
  flag: FeatureFlag,
): string | null {
  const name = { namespace: state.namespace, graph: graph.name }
  const applicability = flagApplicability(state, graph, flag)
  const told = sources.revisions.told(name)
  if (applicability.kind === 'applies') {
    const entry = currentResult(sources, state, graph)
    return servedState({ entry, told, pinned: sources.revisions.pin(name, entry) }, flag.name)
  }
  // Routers were not told yet.
  if (told?.featureFlags[flag.name]?.artifact !== undefined) return 'pending'
  switch (applicability.kind) {
    case 'other-labels':
      return null
    case 'disabled':
      return 'not served: the flag is disabled'
    case 'nothing-published':
      return flag.featureSubgraphs.length === 0
        ? 'not served: it has no feature subgraph any more'
        : 'not served: none of its feature subgraphs has a published schema'
    case 'base-missing': {
      const bases = applicability.bases.map((base) => `"${base}"`).join(', ')
      return `not served: it replaces ${bases}, which takes no part in this graph`
    }
    default:
      return applicability satisfies never
  }
}

/** Returns the state of a preview in a graph that has all that it replaces. */
export function previewState(
  sources: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
  { flag }: Preview,
): string {
  const name = { namespace: state.namespace, graph: graph.name }
  const told = sources.revisions.told(name)
  const entry = currentResult(sources, state, graph)
  if (entry === null || entry.record.type === 'graph.removed') return 'pending'
  const item = entry.record.previews?.find((preview) => preview.name === flag)
  if (item === undefined || item.pending === true) return 'pending'
  const alone = { ...entry, record: { ...entry.record, featureFlags: [], previews: [item] } }
  const wanted = contentWantedBy(alone, told, sources.revisions.pin(name, entry))?.previews?.[flag]
  const served = told?.previews?.[flag]
  if (wanted?.artifact !== served?.artifact || wanted?.expires !== served?.expires) return 'pending'
  if (wanted !== undefined) return 'served'
  if (item.result.status === 'failed') return `not served: its composition fails${firstError(item.result)}`
  return 'not served: the base composition fails'
}

type FlagSources = {
  readonly entry: CompositionEntry | null
  readonly told: PublishedConfig | null
  readonly pinned: PublishedConfig | null
}

function servedState({ entry, told, pinned }: FlagSources, flag: string): string {
  if (entry === null || entry.record.type === 'graph.removed') return 'pending'
  const { base, featureFlags, pinnedRevision } = entry.record
  const item = featureFlags.find(({ name }) => name === flag)
  if (item === undefined || item.pending === true) return 'pending'
  // What becomes of one flag depends on no other.
  const alone = { ...entry, record: { ...entry.record, featureFlags: [item] } }
  const wanted = contentWantedBy(alone, told, pinned)?.featureFlags[flag]?.artifact
  if (wanted !== told?.featureFlags[flag]?.artifact) return 'pending'
  if (wanted !== undefined) return 'served'
  if (pinnedRevision !== null) {
    return `not served: the graph is held on revision ${pinnedRevision}, which does not have it`
  }
  if (artifactOf(base) === null) return 'not served: the base composition fails'
  return `not served: its composition fails${firstError(item.result)}`
}

function firstError(result: RecordedResult): string {
  const [first] = result.status === 'failed' ? result.errors : []
  return first === undefined ? '' : ` (${first.code}: ${first.message})`
}

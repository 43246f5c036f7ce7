import type { FederatedGraphDetail, FederatedGraphView } from '@switchyard/contracts'
import {
  type FederatedGraph,
  flagApplies,
  type NamespaceState,
  sortedByName,
  takesPart,
} from '@switchyard/domain'
import { countRouters } from './command-outcome.ts'
import { newestReports } from './composition-reports.ts'
import type { CompositionEntry } from '../reading/composition-results.ts'
import type { PublicUrls } from '../reading/public-urls.ts'
import { flagState } from './flag-state.ts'
import { currentResult, newestResult, type ViewSources } from './view-sources.ts'

export function graphView(
  sources: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
  publicUrls: PublicUrls,
): FederatedGraphView {
  const name = { namespace: state.namespace, graph: graph.name }
  return {
    namespace: state.namespace,
    name: graph.name,
    labelMatchers: [...graph.labelMatchers],
    allowUnenforcedAuthorization: graph.allowUnenforcedAuthorization,
    publicUrl: publicUrls.of(name),
    subgraphs: sortedByName([...state.subgraphs.values()].filter((item) => takesPart(graph, item))).map(
      (item) => item.name,
    ),
    base: baseState(currentResult(sources, state, graph)),
    revision: sources.revisions.newest(name)?.revision ?? null,
    pinnedRevision: graph.pinnedRevision,
  }
}

export function graphDetail(
  sources: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
  publicUrls: PublicUrls,
): FederatedGraphDetail {
  const name = { namespace: state.namespace, graph: graph.name }
  const entry = newestResult(sources, state, graph)
  const flags = sortedByName(state.flags.values())
  const applying = new Set(
    flags.filter((flag) => flagApplies(state, graph, flag)).map(({ name: flag }) => flag),
  )
  const isShown = (flag: string | null) => flag === null || applying.has(flag)
  const failing = [...(entry?.failing ?? [])].map(([featureFlag, since]) => ({ featureFlag, ...since }))
  return {
    ...graphView(sources, state, graph, publicUrls),
    featureFlags: flags.flatMap((flag) => {
      const text = flagState(sources, state, graph, flag)
      return text === null ? [] : [{ name: flag.name, state: text }]
    }),
    compositions: newestReports(graph.name, entry).filter(({ featureFlag }) => isShown(featureFlag)),
    failing: failing.filter(({ featureFlag }) => isShown(featureFlag)),
    routers: countRouters(sources, [{ graph: name, entry }]),
  }
}

function baseState(entry: CompositionEntry | null): FederatedGraphView['base'] {
  if (entry === null || entry.record.type === 'graph.removed') return 'pending'
  const { status } = entry.record.base
  return status === 'reused' ? 'composed' : status
}

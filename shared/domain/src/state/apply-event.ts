/** One event on a state. Total: an event about something that is not there changes nothing. */
import { DEFAULT_NAMESPACE, labelGroups, orderedMatchers, type RegistryEvent } from '@switchyard/contracts'
import {
  type FeatureFlag,
  type FederatedGraph,
  type NamespaceState,
  type PublishedDocuments,
  sortedByName,
  type Subgraph,
} from './namespace-state.ts'
import { PersistentMap } from './persistent-map.ts'
import { applyRolloutEvent, isRolloutEvent, withoutRollouts } from './rollout-events.ts'
import { applyPreviewEvent, isPreviewEvent } from './preview-events.ts'
import { unreachable } from './unreachable.ts'

/** The events of one record, in their order. */
export function applyEvents(state: NamespaceState, events: readonly RegistryEvent[]): NamespaceState {
  return events.reduce(applyEvent, state)
}

export function applyEvent(state: NamespaceState, event: RegistryEvent): NamespaceState {
  if (isRolloutEvent(event)) return applyRolloutEvent(state, event)
  if (isPreviewEvent(event)) return applyPreviewEvent(state, event)
  switch (event.type) {
    case 'namespace.created':
      return { ...state, exists: true }
    case 'namespace.deleted':
      return {
        ...state,
        exists: state.namespace === DEFAULT_NAMESPACE,
        graphs: PersistentMap.empty(),
        subgraphs: PersistentMap.empty(),
        flags: PersistentMap.empty(),
        rollouts: PersistentMap.empty(),
        previews: PersistentMap.empty(),
        previewHosts: [],
      }
    case 'namespace.preview-hosts-set':
      return { ...state, previewHosts: event.hosts }
    case 'federated-graph.created':
      return withGraph(state, {
        name: event.name,
        ...matchersOf(event),
        allowUnenforcedAuthorization: event.allowUnenforcedAuthorization ?? false,
        publicUrl: event.publicUrl ?? null,
        pinnedRevision: null,
        republished: null,
        documents: [],
      })
    case 'federated-graph.updated':
      return changeGraph(state, event.name, {
        ...matchersOf(event),
        ...(event.allowUnenforcedAuthorization === undefined
          ? {}
          : { allowUnenforcedAuthorization: event.allowUnenforcedAuthorization }),
        ...(event.publicUrl === undefined ? {} : { publicUrl: event.publicUrl }),
      })
    case 'federated-graph.deleted':
      return withoutRollouts(
        { ...state, graphs: state.graphs.delete(event.name) },
        ({ graph }) => graph === event.name,
      )
    case 'federated-graph.pinned':
      return changeGraph(state, event.name, { pinnedRevision: event.revision })
    case 'federated-graph.unpinned':
      return changeGraph(state, event.name, { pinnedRevision: null })
    case 'federated-graph.republished':
      return changeGraph(state, event.name, { republished: state.lastSequence })
    case 'subgraph.created':
      return withSubgraph(state, {
        kind: 'subgraph',
        name: event.name,
        routingUrl: event.routingUrl,
        labels: sortedSet(event.labels),
        schema: null,
      })
    case 'feature-subgraph.created':
      return withSubgraph(state, {
        kind: 'feature-subgraph',
        name: event.name,
        routingUrl: event.routingUrl,
        base: event.base,
        schema: null,
      })
    case 'subgraph.schema-published': {
      const subgraph = state.subgraphs.get(event.name)
      if (subgraph === undefined) return state
      return withSubgraph(state, { ...subgraph, schema: { sha256: event.schema, bytes: event.bytes } })
    }
    case 'subgraph.updated': {
      const subgraph = state.subgraphs.get(event.name)
      if (subgraph === undefined) return state
      const routed = event.routingUrl === undefined ? subgraph : { ...subgraph, routingUrl: event.routingUrl }
      if (routed.kind === 'feature-subgraph' || event.labels === undefined) return withSubgraph(state, routed)
      return withSubgraph(state, { ...routed, labels: sortedSet(event.labels) })
    }
    case 'subgraph.deleted':
      return withoutSubgraph(state, event.name)
    case 'feature-flag.created':
      return withFlag(state, {
        name: event.name,
        labels: sortedSet(event.labels),
        featureSubgraphs: sortedSet(event.featureSubgraphs),
        enabled: event.enabled,
        launched: null,
      })
    case 'feature-flag.updated':
      return changeFlag(state, event.name, {
        ...(event.labels === undefined ? {} : { labels: sortedSet(event.labels) }),
        ...(event.featureSubgraphs === undefined
          ? {}
          : { featureSubgraphs: sortedSet(event.featureSubgraphs) }),
      })
    case 'feature-flag.enabled':
      return changeFlag(state, event.name, { enabled: true })
    case 'feature-flag.disabled':
      return changeFlag(state, event.name, { enabled: false })
    case 'feature-flag.deleted':
      return withoutRollouts(
        { ...state, flags: state.flags.delete(event.name) },
        ({ flag }) => flag === event.name,
      )
    case 'feature-flag.launched': {
      const launched = { sequence: state.lastSequence, promoted: event.promoted }
      return changeFlag(state, event.name, { launched })
    }
    case 'feature-flag.launch-undone':
      return changeFlag(state, event.name, { launched: null })
    case 'documents.published': {
      const { graph, name, manifest, bytes, documents, clients = null } = event
      return withDocuments(state, graph, name, [{ name, manifest, bytes, documents, clients }])
    }
    case 'documents.deleted':
      return withDocuments(state, event.graph, event.name, [])
    default:
      return unreachable(event)
  }
}

function matchersOf(event: { readonly labelMatchers: readonly string[] }) {
  const labelMatchers = orderedMatchers(event.labelMatchers)
  return { labelMatchers, labelGroups: labelGroups(labelMatchers) }
}

function withGraph(state: NamespaceState, graph: FederatedGraph): NamespaceState {
  return { ...state, graphs: state.graphs.set(graph.name, graph) }
}

function changeGraph(state: NamespaceState, name: string, change: Partial<FederatedGraph>): NamespaceState {
  const graph = state.graphs.get(name)
  return graph === undefined ? state : withGraph(state, { ...graph, ...change })
}

/** Replaces the manifest of this name by the one in `now`, or removes it if `now` is empty. */
function withDocuments(
  state: NamespaceState,
  graphName: string,
  name: string,
  now: readonly PublishedDocuments[],
): NamespaceState {
  const others = state.graphs.get(graphName)?.documents.filter((one) => one.name !== name) ?? []
  return changeGraph(state, graphName, { documents: sortedByName([...others, ...now]) })
}

function withSubgraph(state: NamespaceState, subgraph: Subgraph): NamespaceState {
  return { ...state, subgraphs: state.subgraphs.set(subgraph.name, subgraph) }
}

/**
 * Removes a subgraph. If it is a base subgraph, its feature subgraphs are removed with it. All of them leave
 * the flags, too, and a flag that becomes empty stays.
 */
function withoutSubgraph(state: NamespaceState, name: string): NamespaceState {
  const gone = new Set([name])
  for (const subgraph of state.subgraphs.values()) {
    if (subgraph.kind === 'feature-subgraph' && subgraph.base === name) gone.add(subgraph.name)
  }
  let { subgraphs, flags } = state
  for (const subgraph of gone) subgraphs = subgraphs.delete(subgraph)
  for (const flag of state.flags.values()) {
    const left = flag.featureSubgraphs.filter((member) => !gone.has(member))
    if (left.length !== flag.featureSubgraphs.length) {
      flags = flags.set(flag.name, { ...flag, featureSubgraphs: left })
    }
  }
  return { ...state, subgraphs, flags }
}

function withFlag(state: NamespaceState, flag: FeatureFlag): NamespaceState {
  return { ...state, flags: state.flags.set(flag.name, flag) }
}

function changeFlag(state: NamespaceState, name: string, change: Partial<FeatureFlag>): NamespaceState {
  const flag = state.flags.get(name)
  return flag === undefined ? state : withFlag(state, { ...flag, ...change })
}

function sortedSet(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort()
}

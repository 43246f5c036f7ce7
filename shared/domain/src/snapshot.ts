/**
 * A namespace's content as one value that travels, and back: what a command would do can be worked out
 * anywhere.
 */
import { labelGroups, type NamespaceSnapshot } from '@switchyard/contracts'
import { emptyNamespace, type NamespaceState, sortedByName, type Subgraph } from './state/namespace-state.ts'
import { PersistentMap } from './state/persistent-map.ts'

/** Lists are sorted by name. */
export function snapshotOf(state: NamespaceState): NamespaceSnapshot {
  return {
    namespace: state.namespace,
    sequence: state.lastSequence,
    graphs: sortedByName(state.graphs.values()).map(
      ({ labelGroups: _derived, republished: _notShown, ...graph }) => ({
        ...graph,
        labelMatchers: [...graph.labelMatchers],
        documents: graph.documents.map(({ clients, ...rest }) => ({
          ...rest,
          clients: clients === null ? null : [...clients],
        })),
      }),
    ),
    subgraphs: sortedByName(state.subgraphs.values()).map((subgraph) => ({
      name: subgraph.name,
      routingUrl: subgraph.routingUrl,
      labels: subgraph.kind === 'subgraph' ? [...subgraph.labels] : [],
      base: subgraph.kind === 'feature-subgraph' ? subgraph.base : null,
      schema: subgraph.schema,
    })),
    featureFlags: sortedByName(state.flags.values()).map(({ launched, ...flag }) => ({
      ...flag,
      labels: [...flag.labels],
      featureSubgraphs: [...flag.featureSubgraphs],
      ...(launched === null ? {} : { launched: { ...launched, promoted: [...launched.promoted] } }),
    })),
    rollouts: sortedByName(state.rollouts.values()).map((rollout) => ({
      ...rollout,
      where: [...rollout.where],
      key: [...rollout.key],
    })),
    previews: sortedByName(state.previews.values()).map((preview) => ({
      ...preview,
      subgraphs: preview.subgraphs.map((subgraph) => ({ ...subgraph })),
    })),
    previewHosts: [...state.previewHosts],
  }
}

/** The state without its history: no command ids, no times. */
export function stateOfSnapshot(snapshot: NamespaceSnapshot): NamespaceState {
  const graphs = snapshot.graphs.map((graph) => ({
    ...graph,
    labelGroups: labelGroups(graph.labelMatchers),
    republished: null,
  }))
  const subgraphs = snapshot.subgraphs.map(
    ({ name, routingUrl, labels, base, schema }): Subgraph =>
      base === null
        ? { kind: 'subgraph', name, routingUrl, labels, schema }
        : { kind: 'feature-subgraph', name, routingUrl, base, schema },
  )
  return {
    ...emptyNamespace(snapshot.namespace),
    exists: true,
    lastApplied: snapshot.sequence,
    lastSequence: snapshot.sequence,
    graphs: byName(graphs),
    subgraphs: byName(subgraphs),
    flags: byName(snapshot.featureFlags.map((flag) => ({ ...flag, launched: flag.launched ?? null }))),
    rollouts: byName(snapshot.rollouts),
    previews: byName(snapshot.previews),
    previewHosts: snapshot.previewHosts,
  }
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): PersistentMap<Item> {
  return items.reduce((map, item) => map.set(item.name, item), PersistentMap.empty<Item>())
}

/**
 * Finds out from the registry what else a deletion removes or changes, before the user is asked to confirm
 * it. Commands load this module only when they ask, since it brings the rules of the registry with it.
 */
import { didYouMean, NamespaceSnapshot } from '@switchyard/contracts'
import {
  flagApplies,
  type NamespaceState,
  percentInForce,
  type Rollout,
  sortedByName,
  stateOfSnapshot,
  type Subgraph,
  takesPart,
} from '@switchyard/domain'
import type { Confirmation } from './confirmation.ts'
import { LocalRefusal } from '../run/errors.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'

/** Everything in a namespace, as the rules of the registry take it. */
export async function readNamespace(registry: RegistryClient, namespace: string): Promise<NamespaceState> {
  return stateOfSnapshot(await registry.get(apiPath('namespaces', namespace, 'snapshot'), NamespaceSnapshot))
}

/** The question before a namespace is deleted, and what is deleted with it. */
export function namespaceDeletion(state: NamespaceState): Confirmation {
  const subgraphs = sortedByName(state.subgraphs.values())
  const parts = [
    ['federated graphs', sortedByName(state.graphs.values())],
    ['subgraphs', subgraphs.filter(({ kind }) => kind === 'subgraph')],
    ['feature subgraphs', subgraphs.filter(({ kind }) => kind === 'feature-subgraph')],
    ['feature flags', sortedByName(state.flags.values())],
    ['rollouts', sortedByName(state.rollouts.values())],
  ] as const
  const held = parts.filter(([, items]) => items.length > 0)
  return {
    question: `Delete namespace "${state.namespace}" and everything in it`,
    consequences: [
      ...held.map(([what, items]) => `deleted with it, ${what}: ${namesOf(items)}`),
      ...(state.graphs.size > 0
        ? ['routers of its federated graphs keep serving their last compositions until they are stopped']
        : []),
    ],
  }
}

/** The question before a graph is deleted. Throws a LocalRefusal when there is no such graph. */
export function graphDeletion(state: NamespaceState, name: string): Confirmation {
  const graph = state.graphs.get(name)
  if (graph === undefined) throw notFoundRefusal('federated graph', name, state, state.graphs.keys())
  return {
    question: `Delete federated graph "${name}" in namespace "${state.namespace}"`,
    consequences: [
      'its routers keep serving its last composition until they are stopped',
      'its subgraphs and feature flags stay',
      ...(graph.documents.length > 0
        ? [`deleted with it, manifests of documents: ${namesOf(graph.documents)}`]
        : []),
      ...rolloutsAlong(state, (rollout) => rollout.graph === name),
    ],
  }
}

/** The question before a manifest of documents is deleted. Throws a LocalRefusal when there is none. */
export function documentsDeletion(state: NamespaceState, graphName: string, name: string): Confirmation {
  const graph = state.graphs.get(graphName)
  if (graph === undefined) throw notFoundRefusal('federated graph', graphName, state, state.graphs.keys())
  const manifest = graph.documents.find((one) => one.name === name)
  if (manifest === undefined)
    throw notFoundRefusal(
      `manifest of federated graph "${graphName}" with the name`,
      name,
      state,
      graph.documents.map((one) => one.name),
    )
  const clients = manifest.clients?.join(', ') ?? 'all clients'
  return {
    question: `Delete manifest "${name}" of federated graph "${graphName}" in namespace "${state.namespace}"`,
    consequences: [`routers that use it know its ${manifest.documents} documents no more, for ${clients}`],
  }
}

/** Returns the question about the deletion of a subgraph or feature subgraph. */
export function subgraphDeletion(state: NamespaceState, name: string): Confirmation {
  const subgraph = state.subgraphs.get(name)
  if (subgraph === undefined) throw notFoundRefusal('subgraph', name, state, state.subgraphs.keys())
  const all = sortedByName(state.subgraphs.values())
  const along = all.filter((other) => other.kind === 'feature-subgraph' && other.base === name)
  const gone = new Set([subgraph, ...along].map((item) => item.name))
  const kind = subgraph.kind === 'subgraph' ? 'subgraph' : 'feature subgraph'
  const graphs = graphsWith(state, subgraph, gone)
  return {
    question: `Delete ${kind} "${name}" in namespace "${state.namespace}"`,
    consequences: [
      ...(along.length > 0 ? [`deleted with it, feature subgraphs: ${namesOf(along)}`] : []),
      ...lossesOf(state, gone),
      ...(graphs.length > 0 ? [`composed anew without it: ${namesOf(graphs)}`] : []),
    ],
  }
}

/** The question before a flag is deleted. Throws a LocalRefusal when there is no such flag. */
export function flagDeletion(state: NamespaceState, name: string): Confirmation {
  const flag = state.flags.get(name)
  if (flag === undefined) throw notFoundRefusal('feature flag', name, state, state.flags.keys())
  const graphs = sortedByName(state.graphs.values()).filter((graph) => flagApplies(state, graph, flag))
  return {
    question: `Delete feature flag "${name}" in namespace "${state.namespace}"`,
    consequences: [
      ...(graphs.length > 0 ? [`requests that name it get the base graph of: ${namesOf(graphs)}`] : []),
      ...rolloutsAlong(state, (rollout) => rollout.flag === name),
    ],
  }
}

/** The question before a rollout is deleted. Throws a LocalRefusal when there is no such rollout. */
export function rolloutDeletion(state: NamespaceState, name: string): Confirmation {
  const rollout = state.rollouts.get(name)
  if (rollout === undefined) throw notFoundRefusal('rollout', name, state, state.rollouts.keys())
  return {
    question: `Delete rollout "${name}" in namespace "${state.namespace}"`,
    consequences: [
      endOf(rollout, Date.now()),
      'its salt goes with it: a new rollout selects other requests, unless it is given this one: ' +
        rollout.salt,
    ],
  }
}

/** Says what requests get when a rollout is gone. */
function endOf(rollout: Rollout, now: number): string {
  const { mode, graph, flag, expires } = rollout
  const inForce = percentInForce(rollout)
  if (expires !== null && Date.parse(expires) <= now)
    return 'no request gets anything else than now, since it has expired'
  if (mode === 'shadow')
    return `answers to requests to federated graph "${graph}" are no longer compared with those of feature flag "${flag}", and what was found is gone; no request gets anything else than now`
  const share =
    inForce === 0
      ? `all of them get base`
      : `${inForce === 100 ? 'all of them' : `${inForce} percent of its audience`} get feature flag "${flag}"`
  return `requests to federated graph "${graph}" that it decides now (${share}) go on to the next rollout, or get the base graph`
}

function rolloutsAlong(state: NamespaceState, isGone: (rollout: Rollout) => boolean): readonly string[] {
  const gone = sortedByName(state.rollouts.values()).filter(isGone)
  return gone.length === 0 ? [] : [`deleted with it, rollouts: ${namesOf(gone)}`]
}

function lossesOf(state: NamespaceState, gone: ReadonlySet<string>): readonly string[] {
  return sortedByName(state.flags.values()).flatMap(({ name, featureSubgraphs }) => {
    const lost = featureSubgraphs.filter((member) => gone.has(member))
    if (lost.length === 0) return []
    const empty = lost.length === featureSubgraphs.length ? ' and is left empty: it composes nothing' : ''
    return [`feature flag "${name}" loses ${lost.map((member) => `"${member}"`).join(', ')}${empty}`]
  })
}

function graphsWith(state: NamespaceState, subgraph: Subgraph, gone: ReadonlySet<string>) {
  const flags = sortedByName(state.flags.values()).filter(({ featureSubgraphs }) =>
    featureSubgraphs.some((member) => gone.has(member)),
  )
  return sortedByName(state.graphs.values()).filter(
    (graph) => takesPart(graph, subgraph) || flags.some((flag) => flagApplies(state, graph, flag)),
  )
}

function namesOf(items: readonly { readonly name: string }[]): string {
  return items.map(({ name }) => name).join(', ')
}

function notFoundRefusal(
  what: string,
  name: string,
  state: NamespaceState,
  known: Iterable<string>,
): LocalRefusal {
  return new LocalRefusal(
    'NOT_FOUND',
    `There is no ${what} "${name}" in namespace "${state.namespace}".${didYouMean(name, known)} Nothing was changed.`,
  )
}

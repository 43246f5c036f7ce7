/** Manifests of persisted documents, which belong to a federated graph. */
import {
  MAX_DOCUMENT_BYTES_PER_GRAPH,
  MAX_DOCUMENT_MANIFESTS_PER_GRAPH,
  problem,
} from '@switchyard/contracts'
import type { CommandOf } from './command.ts'
import type { FederatedGraph, NamespaceState } from '../state/namespace-state.ts'
import { decided, type Decision, notFound, refused, sameSet, unchanged } from './decision.ts'

export function publishDocuments(
  state: NamespaceState,
  { graph: graphName, name, manifest, bytes, documents, clients }: CommandOf<'publish-documents'>,
): Decision {
  return withGraph(state, graphName, (graph) => {
    const before = graph.documents.find((one) => one.name === name)
    if (before === undefined && graph.documents.length >= MAX_DOCUMENT_MANIFESTS_PER_GRAPH)
      return refused(tooMany(graphName))
    const others = graph.documents.filter((one) => one !== before)
    const total = others.reduce((sum, one) => sum + one.bytes, bytes)
    if (total > MAX_DOCUMENT_BYTES_PER_GRAPH) return refused(tooLarge(graphName, total))
    if (before?.manifest === manifest && sameClients(before.clients, clients))
      return unchanged(`Manifest "${name}" of federated graph "${graphName}" has these documents already`)
    return decided(state, {
      type: 'documents.published',
      graph: graphName,
      name,
      manifest,
      bytes,
      documents,
      ...(clients === null ? {} : { clients: [...new Set(clients)] }),
    })
  })
}

export function deleteDocuments(
  state: NamespaceState,
  { graph: graphName, name }: CommandOf<'delete-documents'>,
): Decision {
  return withGraph(state, graphName, (graph) =>
    graph.documents.some((one) => one.name === name)
      ? decided(state, { type: 'documents.deleted', graph: graphName, name })
      : notFound(state, `manifest "${name}" of federated graph "${graphName}"`, {
          name,
          known: graph.documents.map((one) => one.name),
        }),
  )
}

function withGraph(
  state: NamespaceState,
  name: string,
  decision: (graph: FederatedGraph) => Decision,
): Decision {
  const graph = state.graphs.get(name)
  if (graph !== undefined) return decision(graph)
  return notFound(state, `federated graph "${name}"`, { name, known: state.graphs.keys() })
}

function sameClients(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one === null || other === null ? one === other : sameSet(one, other)
}

function tooMany(graph: string) {
  return problem(
    'LIMIT_EXCEEDED',
    `Federated graph "${graph}" has ${MAX_DOCUMENT_MANIFESTS_PER_GRAPH} manifests of documents, which is as many as it can have. Nothing was published. Delete those that no client uses any more.`,
  )
}

function tooLarge(graph: string, bytes: number) {
  return problem(
    'LIMIT_EXCEEDED',
    `The manifests of documents of federated graph "${graph}" would have ${bytes} bytes; the limit is ${MAX_DOCUMENT_BYTES_PER_GRAPH} (32 MiB). Nothing was published. Delete those that no client uses any more.`,
  )
}

import { DocumentManifest, DocumentManifestList, type DocumentManifestView } from '@switchyard/contracts'
import type { PublishedDocuments } from '@switchyard/domain'
import { type ApiOptions, ManifestPath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

const GRAPH = 'federated graph'

export function documentReads({ add }: ReadRoutes, { blobs }: ApiOptions): void {
  add({
    url: '/v1/graphs/:namespace/:name/documents',
    summary: 'List the manifests of persisted documents of a federated graph',
    params: ResourcePath,
    query: ReadQuery,
    answer: DocumentManifestList,
    looksDownstream: false,
    read: ({ state, params: { namespace, name } }) => {
      const graph = found(state.graphs, GRAPH, name, state)
      return { namespace, graph: name, manifests: graph.documents.map(viewOf) }
    },
  })
  add({
    url: '/v1/graphs/:namespace/:name/documents/:manifest',
    summary: 'A manifest of persisted documents, with the texts of its documents',
    params: ManifestPath,
    query: ReadQuery,
    answer: DocumentManifest,
    looksDownstream: false,
    read: async ({ state, params: { namespace, name, manifest } }) => {
      const graph = found(state.graphs, GRAPH, name, state)
      const published = new Map(graph.documents.map((one) => [one.name, one]))
      const kept = found(published, `manifest of federated graph "${name}" with the name`, manifest, state)
      const text = new TextDecoder().decode(await blobs.get(kept.manifest))
      return { ...viewOf(kept), namespace, graph: name, manifest: text }
    },
  })
}

function viewOf({ name, clients, documents, bytes, manifest }: PublishedDocuments): DocumentManifestView {
  return { name, clients: clients === null ? null : [...clients], documents, bytes, sha256: manifest }
}

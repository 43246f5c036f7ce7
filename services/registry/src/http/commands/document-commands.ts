/** Commands on the manifests of persisted documents of a graph. */
import { MAX_DOCUMENT_MANIFEST_BYTES, PublishDocuments, ReasonOnly } from '@switchyard/contracts'
import { checkDocuments } from '../../documents/check-documents.ts'
import { type ApiOptions, ManifestPath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'
import { found } from '../reads/read-route.ts'

/** A manifest grows in JSON, where its quotes take two characters, and those in its texts three. */
const BODY_LIMIT = 3 * MAX_DOCUMENT_MANIFEST_BYTES

export function documentCommands({ add }: CommandRoutes, options: ApiOptions): void {
  add({
    method: 'PUT',
    url: '/v1/graphs/:namespace/:name/documents/:manifest',
    summary: 'Publish a manifest of persisted documents for a federated graph',
    params: ManifestPath,
    body: PublishDocuments,
    bodyLimit: BODY_LIMIT,
    permission: 'publish',
    command: async ({ params: { namespace, name, manifest }, body }) => {
      const { fold, blobs, pieces, documents: thread, downstream, revisions } = options
      const { compositions } = downstream
      await Promise.all([
        fold.caughtUp(namespace),
        compositions.everythingCaughtUp(),
        revisions.everythingCaughtUp(),
      ])
      const state = fold.state(namespace)
      const graph = found(state.graphs, 'federated graph', name, state)
      const id = { namespace, graph: name }
      const sources = {
        thread,
        blobs,
        pieces,
        newest: compositions.newest(id),
        published: revisions.newest(id),
      }
      const asked = { ...body, clients: body.clients ?? null, namespace, graph, name: manifest }
      const { published, warnings } = await checkDocuments(asked, sources)
      return { command: { type: 'publish-documents', graph: name, ...published }, warnings }
    },
  })
  add({
    method: 'DELETE',
    url: '/v1/graphs/:namespace/:name/documents/:manifest',
    summary: 'Delete a manifest of persisted documents of a federated graph',
    params: ManifestPath,
    body: ReasonOnly,
    command: ({ params: { name: graph, manifest: name } }) => ({ type: 'delete-documents', graph, name }),
  })
}

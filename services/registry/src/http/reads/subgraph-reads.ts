import { problem, ProblemError, SubgraphDetail, SubgraphList, SubgraphSchema } from '@switchyard/contracts'
import { sortedByName } from '@switchyard/domain'
import { subgraphDetail, subgraphView } from '../../views/subgraph-views.ts'
import { type ApiOptions, NamespacePath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

const KIND = 'subgraph or feature subgraph'

export function subgraphReads({ add }: ReadRoutes, { blobs }: ApiOptions): void {
  add({
    url: '/v1/subgraphs/:namespace',
    summary: 'List the subgraphs and feature subgraphs of a namespace',
    params: NamespacePath,
    query: ReadQuery,
    answer: SubgraphList,
    looksDownstream: false,
    read: ({ state }) => ({
      subgraphs: sortedByName(state.subgraphs.values()).map((subgraph) => subgraphView(state, subgraph)),
    }),
  })
  add({
    url: '/v1/subgraphs/:namespace/:name',
    summary: 'A subgraph or feature subgraph, with what it takes part in',
    params: ResourcePath,
    query: ReadQuery,
    answer: SubgraphDetail,
    looksDownstream: false,
    read: ({ state, params: { name } }) => subgraphDetail(state, found(state.subgraphs, KIND, name, state)),
  })
  add({
    url: '/v1/subgraphs/:namespace/:name/schema',
    summary: 'The published schema of a subgraph or feature subgraph',
    params: ResourcePath,
    query: ReadQuery,
    answer: SubgraphSchema,
    looksDownstream: false,
    read: async ({ state, params: { name } }) => {
      const { schema } = found(state.subgraphs, KIND, name, state)
      if (schema === null) {
        throw new ProblemError(problem('NOT_FOUND', `No schema was published for "${name}" yet.`))
      }
      // Byte for byte what was published, a byte order mark included.
      const sdl = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blobs.get(schema.sha256))
      return { namespace: state.namespace, name, sha256: schema.sha256, sdl }
    },
  })
}

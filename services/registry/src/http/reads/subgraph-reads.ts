import {
  problem,
  ProblemError,
  Sha256,
  SubgraphDetail,
  SubgraphList,
  SubgraphSchema,
} from '@switchyard/contracts'
import { type NamespaceState, sortedByName } from '@switchyard/domain'
import { subgraphDetail, subgraphView } from '../../views/subgraph-views.ts'
import { type ApiOptions, NamespacePath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

/** The published schema, or the one of that hash, which undoing a promotion would publish again. */
const SchemaQuery = ReadQuery.extend({ sha256: Sha256.optional() })
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
    query: SchemaQuery,
    answer: SubgraphSchema,
    looksDownstream: false,
    read: async ({ state, params: { name }, query: { sha256: asked } }) => {
      const { schema } = found(state.subgraphs, KIND, name, state)
      const sha256 = asked ?? schema?.sha256
      if (sha256 === undefined) {
        throw new ProblemError(problem('NOT_FOUND', `No schema was published for "${name}" yet.`))
      }
      if (sha256 !== schema?.sha256 && !isOfUndo(state, name, sha256)) {
        throw new ProblemError(problem('NOT_FOUND', `No undo would publish schema ${sha256} for "${name}".`))
      }
      // Byte for byte what was published, a byte order mark included.
      const sdl = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blobs.get(sha256))
      return { namespace: state.namespace, name, sha256, sdl }
    },
  })
}

/** Whether undoing a promotion would publish that schema for the subgraph. */
function isOfUndo({ flags }: NamespaceState, name: string, sha256: string): boolean {
  const promoted = flags.values().flatMap(({ launched }) => launched?.promoted ?? [])
  return promoted.some(({ subgraph, before }) => subgraph === name && before.schema === sha256)
}

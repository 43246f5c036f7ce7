import {
  problem,
  ProblemError,
  Sha256,
  SubgraphDetail,
  SubgraphList,
  SubgraphSchema,
} from '@switchyard/contracts'
import { SubgraphHistory } from '@switchyard/contracts/studio'
import { type NamespaceState, sortedByName } from '@switchyard/domain'
import { BlobMissingError } from '@switchyard/event-log'
import { z } from 'zod'
import { subgraphHistory } from '../../views/subgraph-history.ts'
import { subgraphDetail, subgraphView } from '../../views/subgraph-views.ts'
import { type ApiOptions, NamespacePath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

/** The published schema, or the one of that hash, which was published before. */
const SchemaQuery = ReadQuery.extend({ sha256: Sha256.optional() })
const HistoryQuery = ReadQuery.extend({ limit: z.coerce.number().int().min(1).max(200).default(20) })
const KIND = 'subgraph or feature subgraph'

export function subgraphReads({ add }: ReadRoutes, { blobs, fold, log }: ApiOptions): void {
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
      const isKnown = fold.schemas.of(state.namespace, name).some((version) => version.sha256 === sha256)
      if (!isKnown && !isOfUndo(state, name, sha256)) throw neverPublished(name, sha256)
      const bytes = await blobs.get(sha256).catch((error: unknown) => lost(error, name, sha256))
      // Byte for byte what was published, a byte order mark included.
      const sdl = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
      return { namespace: state.namespace, name, sha256, sdl }
    },
  })
  add({
    url: '/v1/subgraphs/:namespace/:name/history',
    summary: 'The schemas that were published for a subgraph or feature subgraph, newest first',
    params: ResourcePath,
    query: HistoryQuery,
    answer: SubgraphHistory,
    looksDownstream: false,
    read: ({ state, params: { namespace, name }, query: { limit } }) => {
      found(state.subgraphs, KIND, name, state)
      return subgraphHistory(log, fold, { namespace, name }, limit)
    },
  })
}

function neverPublished(name: string, sha256: string): ProblemError {
  const text = `Schema ${sha256} is none of those that were published for "${name}" last.`
  return new ProblemError(problem('NOT_FOUND', text))
}

/** A schema is lost with its store, or when a log was imported without it. */
function lost(error: unknown, name: string, sha256: string): never {
  if (!(error instanceof BlobMissingError)) throw error
  const text = `Schema ${sha256} of "${name}" is not kept any more.`
  throw new ProblemError(problem('NOT_FOUND', text), error)
}

/** Whether undoing a promotion would publish that schema for the subgraph. */
function isOfUndo({ flags }: NamespaceState, name: string, sha256: string): boolean {
  const promoted = flags.values().flatMap(({ launched }) => launched?.promoted ?? [])
  return promoted.some(({ subgraph, before }) => subgraph === name && before.schema === sha256)
}

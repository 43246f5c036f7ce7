import {
  CompositionErrors,
  FederatedGraphDetail,
  FederatedGraphList,
  problem,
  ProblemError,
  ResourceName,
  RevisionList,
} from '@switchyard/contracts'
import { sortedByName } from '@switchyard/domain'
import { z } from 'zod'
import { compositionErrors, sourcesOf } from '../../views/composition-errors.ts'
import { resultOf } from '../../views/composition-reports.ts'
import { graphDetail, graphView } from '../../views/graph-views.ts'
import { newestResult } from '../../views/view-sources.ts'
import { type ApiOptions, NamespacePath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

const KIND = 'federated graph'
const RevisionQuery = ReadQuery.extend({ limit: z.coerce.number().int().min(1).max(500).default(20) })
const ErrorsQuery = ReadQuery.extend({ featureFlag: ResourceName.optional() })

export function graphReads({ add, sources }: ReadRoutes, { blobs, revisions, publicUrls }: ApiOptions): void {
  add({
    url: '/v1/graphs/:namespace',
    summary: 'List the federated graphs of a namespace',
    params: NamespacePath,
    query: ReadQuery,
    answer: FederatedGraphList,
    looksDownstream: true,
    read: ({ state }) => ({
      graphs: sortedByName(state.graphs.values()).map((graph) =>
        graphView(sources, state, graph, publicUrls),
      ),
    }),
  })
  add({
    url: '/v1/graphs/:namespace/:name',
    summary: 'A federated graph, with its flags and its newest compositions',
    params: ResourcePath,
    query: ReadQuery,
    answer: FederatedGraphDetail,
    looksDownstream: true,
    read: ({ state, params: { name } }) =>
      graphDetail(sources, state, found(state.graphs, KIND, name, state), publicUrls),
  })
  add({
    url: '/v1/graphs/:namespace/:name/revisions',
    summary: 'The revisions of a federated graph, newest first',
    params: ResourcePath,
    query: RevisionQuery,
    answer: RevisionList,
    looksDownstream: true,
    read: async ({ state, params: { namespace, name }, query: { limit } }) => {
      const { pinnedRevision } = found(state.graphs, KIND, name, state)
      const list = await revisions.list({ namespace, graph: name }, limit)
      return { namespace, graph: name, pinnedRevision, revisions: list }
    },
  })
  add({
    url: '/v1/graphs/:namespace/:name/errors',
    summary: 'All errors of the newest composition of a federated graph or of one of its flags',
    params: ResourcePath,
    query: ErrorsQuery,
    answer: CompositionErrors,
    looksDownstream: true,
    read: async ({ state, params: { name }, query: { featureFlag } }) => {
      const graph = found(state.graphs, KIND, name, state)
      if (featureFlag !== undefined) found(state.flags, 'feature flag', featureFlag, state)
      const result = resultOf(newestResult(sources, state, graph), featureFlag ?? null)
      if (result === null) throw new ProblemError(notComposed(name, featureFlag))
      return compositionErrors(blobs, result, sourcesOf(sources, state, graph, featureFlag ?? null))
    },
  })
}

function notComposed(graph: string, featureFlag: string | undefined) {
  return problem(
    'NOT_FOUND',
    featureFlag === undefined
      ? `Federated graph "${graph}" was not composed yet.`
      : `The newest composition of federated graph "${graph}" has no feature flag "${featureFlag}": it is new, disabled or does not apply.`,
  )
}

/** Routes that look things up in the schema of a composition: types, one type, a search, and all of it. */
import { readArtifact } from '@switchyard/event-log'
import {
  CompositionName,
  CompositionSchema,
  CompositionSearch,
  CompositionType,
  CompositionTypes,
  printCompositionName,
} from '@switchyard/contracts/studio'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { findComposition } from '../../compositions/find-composition.ts'
import { lostComposition } from '../../compositions/lost-composition.ts'
import type { SchemaQuestion } from '../../compositions/schema-task.ts'
import { type ApiOptions, ReadQuery, ResourcePath } from '../api/api.ts'
import { acceptsGzip, isKnown, sendPrepared } from './prepared-answer.ts'
import { found, type ReadRequest, type ReadRoutes } from './read-route.ts'

/** Changes when an answer about the same composition would be another one. */
const FORM = 2
const MOST_MATCHES = 100
/** Fields, members or values of a type in one answer, unless somebody asks for more of them. */
const PARTS = 200
const MOST_PARTS = 1000

const Query = ReadQuery.extend({ composition: CompositionName.prefault('base') })
const SearchQuery = Query.extend({
  q: z.string().min(1).max(200),
  limit: z.coerce.number().int().min(1).max(MOST_MATCHES).default(20),
})
const Name = z.string().regex(/^[_A-Za-z]\w{0,999}$/, 'a type has a name')
const TypeQuery = Query.extend({
  from: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(MOST_PARTS).default(PARTS),
  part: Name.optional(),
})
const TypePath = ResourcePath.extend({ type: Name })

type Asked = ReadRequest<z.output<typeof ResourcePath>, z.output<typeof Query>>

export function schemaReads({ add, sources }: ReadRoutes, options: ApiOptions): void {
  const answer = (asked: Asked, question: SchemaQuestion) => answerOf(options, sources, asked, question)
  add({
    url: '/v1/graphs/:namespace/:name/types',
    summary: 'All types of the client schema of a composition',
    params: ResourcePath,
    query: Query,
    answer: CompositionTypes,
    looksDownstream: true,
    read: (asked) => answer(asked, { kind: 'types' }),
  })
  add({
    url: '/v1/graphs/:namespace/:name/client-schema',
    summary: 'The client schema of a composition as SDL',
    params: ResourcePath,
    query: Query,
    answer: CompositionSchema,
    looksDownstream: true,
    read: (asked) => answer(asked, { kind: 'client-schema' }),
  })
  add({
    url: '/v1/graphs/:namespace/:name/types/:type',
    summary: 'One type of a composition, and the subgraphs that define and resolve each part of it',
    params: TypePath,
    query: TypeQuery,
    answer: CompositionType,
    looksDownstream: true,
    read: (asked) => {
      const { from, limit, part } = asked.query
      return answer(asked, { kind: 'type', name: asked.params.type, from, limit, part })
    },
  })
  add({
    url: '/v1/graphs/:namespace/:name/search',
    summary: 'Types, fields, arguments, enum values and descriptions of a composition that have a text',
    params: ResourcePath,
    query: SearchQuery,
    answer: CompositionSearch,
    looksDownstream: true,
    read: (asked) => answer(asked, { kind: 'search', text: asked.query.q, limit: asked.query.limit }),
  })
}

async function answerOf(
  { blobs, pieces, schemas }: ApiOptions,
  sources: ReadRoutes['sources'],
  { state, params: { namespace, name }, query, reply, request }: Asked,
  question: SchemaQuestion,
): Promise<FastifyReply> {
  const graph = found(state.graphs, 'federated graph', name, state)
  const reference = await findComposition(sources, state, graph, query.composition)
  const { artifact } = reference
  const composition = printCompositionName(query.composition)
  if (isKnown(request, reply, `${FORM}-${artifact}`)) return reply
  const gzip = acceptsGzip(request)
  const body = await schemas.ask({
    namespace,
    question,
    artifact,
    about: { namespace, graph: name, composition },
    gzip,
    read: () =>
      readArtifact({ blobs, pieces }, reference).catch((error) => lostComposition(error, name, composition)),
  })
  return sendPrepared(reply, body, gzip)
}

/** The route that compares two compositions of a graph. */
import { createHash } from 'node:crypto'
import { CompositionDifference, CompositionName, printCompositionName } from '@switchyard/contracts/studio'
import { readArtifact } from '@switchyard/event-log'
import { findComposition } from '../../compositions/find-composition.ts'
import { lostComposition } from '../../compositions/lost-composition.ts'
import { type ApiOptions, ReadQuery, ResourcePath } from '../api/api.ts'
import { acceptsGzip, isKnown, sendPrepared } from './prepared-answer.ts'
import { found, type ReadRoutes } from './read-route.ts'
import { SharedAnswers } from './shared-answers.ts'

/** Changes when an answer about the same compositions would be another one. */
const FORM = 1
const Query = ReadQuery.extend({ from: CompositionName, to: CompositionName })

export function differenceRead(
  { add, sources }: ReadRoutes,
  { blobs, pieces, comparisons }: ApiOptions,
): void {
  const answers = new SharedAnswers()
  add({
    url: '/v1/graphs/:namespace/:name/difference',
    summary: 'The difference of two compositions: client schemas, and plans of the published documents',
    params: ResourcePath,
    query: Query,
    answer: CompositionDifference,
    looksDownstream: true,
    read: async ({ state, params: { namespace, name }, query, request, reply }) => {
      const graph = found(state.graphs, 'federated graph', name, state)
      const sides = { from: query.from, to: query.to }
      const from = await findComposition(sources, state, graph, sides.from)
      const to = await findComposition(sources, state, graph, sides.to)
      const documents = graph.documents
      const asked = JSON.stringify([FORM, from.artifact, to.artifact, documents])
      const tag = createHash('sha256').update(asked).digest('hex')
      if (isKnown(request, reply, tag)) return reply
      const gzip = acceptsGzip(request)
      const names = { from: printCompositionName(query.from), to: printCompositionName(query.to) }
      const about = {
        namespace,
        graph: name,
        from: { composition: names.from, artifact: from.artifact },
        to: { composition: names.to, artifact: to.artifact },
      }
      // Copies of their own, which are moved to the thread.
      const artifact = async (reference: typeof from, side: 'from' | 'to') => {
        const read = readArtifact({ blobs, pieces }, reference)
        return new Uint8Array(await read.catch((error) => lostComposition(error, name, names[side])))
      }
      const make = async () => {
        const before = await artifact(from, 'from')
        const after = from.artifact === to.artifact ? null : await artifact(to, 'to')
        const manifests = await Promise.all(
          documents.map(async (one) => ({
            name: one.name,
            clients: one.clients,
            bytes: new Uint8Array(await blobs.get(one.manifest)),
          })),
        )
        const moved = [before, ...(after === null ? [] : [after]), ...manifests.map(({ bytes }) => bytes)]
        const task = {
          kind: 'difference',
          from: before,
          to: after,
          documents: manifests,
          about,
          gzip,
        } as const
        return { task, transfer: moved.map(({ buffer }) => buffer) }
      }
      const key = JSON.stringify([tag, gzip, about])
      const body = await answers.of(key, () => comparisons.compare(namespace, make))
      return sendPrepared(reply, body, gzip)
    },
  })
}

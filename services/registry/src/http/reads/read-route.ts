/**
 * Declares routes that read one namespace. Rights, and the state that is read, are the same for all of them.
 */
import { didYouMean, problem, ProblemError } from '@switchyard/contracts'
import type { NamespaceState } from '@switchyard/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { recallPins, type ViewSources } from '../../views/view-sources.ts'
import { checked } from '../api/checked.ts'
import { type ApiOptions, authorize, namespaceInPath, ProblemResponse, ReadQuery } from '../api/api.ts'

export type ReadRequest<Params, Query> = {
  readonly state: NamespaceState
  readonly params: Params
  readonly query: Query
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export type ReadRoute<Params extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType> = {
  readonly url: string
  readonly summary: string
  readonly params: Params
  readonly query: Query
  readonly answer: Answer
  /** Whether the answer includes compositions and revisions, so that it has to wait for their logs, too. */
  readonly looksDownstream: boolean
  /** The permission that the caller needs; reading unless it is given. */
  readonly permission?: 'read' | 'trace'
  /** A reply was sent already. */
  readonly read: (
    question: ReadRequest<z.output<Params>, z.output<Query>>,
  ) => z.input<Answer> | FastifyReply | Promise<z.input<Answer> | FastifyReply>
}

export type ReadRoutes = {
  readonly sources: ViewSources
  readonly add: <Params extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType>(
    route: ReadRoute<Params, Query, Answer>,
  ) => void
}

type ReadScope = { readonly namespace: string; readonly consistency: 'strong' | 'eventual' }

export function readRoutes(server: FastifyInstance, options: ApiOptions): ReadRoutes {
  const { fold, revisions, downstream } = options
  const { compositions, fleet, now } = downstream
  const sources: ViewSources = { fold, compositions, revisions, fleet, now }

  const stateFor = async ({ namespace, consistency }: ReadScope, looksDownstream: boolean) => {
    if (consistency === 'strong') {
      const logs = looksDownstream ? [compositions, revisions] : []
      await Promise.all([fold.caughtUp(namespace), ...logs.map((log) => log.everythingCaughtUp())])
    }
    const state = fold.state(namespace)
    if (!state.exists) throw new ProblemError(problem('NOT_FOUND', `There is no namespace "${namespace}".`))
    if (looksDownstream) await recallPins(sources, state)
    return state
  }

  const add: ReadRoutes['add'] = (route) => {
    const { url, summary, params, query, answer, looksDownstream, permission = 'read', read } = route
    server.get(url, {
      schema: { summary, params, querystring: query, response: { 200: answer, ...ProblemResponse } },
      onRequest: async (request) =>
        void (await authorize(options, request, { kind: permission, namespace: namespaceInPath(request) })),
      handler: async (request, reply) => {
        const { consistency } = checked(ReadQuery, request.query)
        const state = await stateFor({ namespace: namespaceInPath(request), consistency }, looksDownstream)
        const asked = { params: checked(params, request.params), query: checked(query, request.query) }
        return read({ state, request, reply, ...asked })
      },
    })
  }
  return { sources, add }
}

/** Things by name, of the kind in which one is looked for. */
type Named<Item> = { get(name: string): Item | undefined; keys(): Iterable<string> }

/**
 * `kind` without an article: `federated graph`. Whoever reads a namespace may see all names in it, so one is
 * suggested that is near.
 */
export function found<Item>(
  items: Named<Item>,
  kind: string,
  name: string,
  { namespace }: NamespaceState,
): Item {
  const item = items.get(name)
  if (item !== undefined) return item
  const meant = didYouMean(name, items.keys())
  throw new ProblemError(
    problem('NOT_FOUND', `There is no ${kind} "${name}" in namespace "${namespace}".${meant}`),
  )
}

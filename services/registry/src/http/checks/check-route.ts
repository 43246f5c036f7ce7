/** The route that tells what publishing a schema would do. It publishes nothing, so reading is enough. */
import { didYouMean, problem, ProblemError } from '@switchyard/contracts'
import { CheckSubgraph, SubgraphCheck } from '@switchyard/contracts/studio'
import type { NamespaceState } from '@switchyard/domain'
import { foresee, isProposable, NOTHING_LOST, proposedPublication } from '@switchyard/schema-checks'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { readCheck } from '../../comparisons/read-check.ts'
import { recallPins, type ViewSources } from '../../views/view-sources.ts'
import {
  type ApiOptions,
  authorize,
  namespaceInPath,
  ProblemResponse,
  requireJson,
  ResourcePath,
} from '../api/api.ts'
import { PUBLISH_BODY_LIMIT, schemaProblem } from '../commands/subgraph-commands.ts'
import { acceptsGzip, sendPrepared } from '../reads/prepared-answer.ts'

const NOTHING_CHANGED = { breaking: 0, dangerous: 0, safe: 0, changes: [] }

export function installCheckRoute(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const { comparisons, blobs, pieces, fold, revisions, downstream } = options
  const { compositions, fleet, now } = downstream
  const sources: ViewSources = { fold, compositions, revisions, fleet, now }
  app.post('/v1/checks/:namespace/:name', {
    bodyLimit: PUBLISH_BODY_LIMIT,
    schema: {
      summary: 'Check what publishing a schema would do to every graph and feature flag',
      params: ResourcePath,
      body: CheckSubgraph,
      response: { 200: SubgraphCheck, ...ProblemResponse },
    },
    onRequest: async (request) => {
      await authorize(options, request, { kind: 'read', namespace: namespaceInPath(request) })
      requireJson(request)
    },
    handler: async (request, reply) => {
      const { namespace, name } = request.params
      const { schema: sdl, strict, ...described } = request.body
      const invalid = await schemaProblem(options, namespace, name, sdl)
      if (invalid !== null) throw new ProblemError(invalid)
      const state = await currentState(options, sources, namespace)
      const proposed = { name, sdl, ...described }
      if (!isProposable(proposed, state)) throw notProposable(name, state)
      const command = proposedPublication(proposed, state)
      const foreseen = foresee(state, command)
      if (foreseen.kind === 'refused') throw new ProblemError(foreseen.problem)
      const about = { namespace, name, sequence: state.lastApplied, message: foreseen.message }
      if (foreseen.kind === 'unchanged') {
        const nothing = {
          compositions: [],
          changes: NOTHING_CHANGED,
          documents: { ...NOTHING_LOST, lost: [] },
        }
        return { ...about, passes: true, warnings: [], ...nothing }
      }
      const gzip = acceptsGzip(request)
      const { warnings } = foreseen
      const message = `Checked "${name}"; nothing was published.`
      const body = await comparisons.compare(namespace, async () => {
        const asked = { state, change: foreseen, strict, proposed: [command.schema, sdl] } as const
        const { task, transfer } = await readCheck({ blobs, pieces }, sources, asked)
        return { task: { ...task, about: { ...about, message, warnings }, gzip }, transfer }
      })
      return sendPrepared(reply, body, gzip)
    },
  })
}

async function currentState(
  { fold, downstream, revisions }: ApiOptions,
  sources: ViewSources,
  namespace: string,
): Promise<NamespaceState> {
  const { compositions } = downstream
  const logs = [compositions, revisions].map((log) => log.everythingCaughtUp())
  const [state] = await Promise.all([fold.caughtUp(namespace), ...logs])
  if (!state.exists) throw new ProblemError(problem('NOT_FOUND', `There is no namespace "${namespace}".`))
  await recallPins(sources, state)
  return state
}

function notProposable(name: string, { namespace, subgraphs }: NamespaceState): ProblemError {
  const meant = didYouMean(name, subgraphs.keys())
  const how = 'To check it as a new one, give its labels, or the base that it replaces.'
  const text = `There is no subgraph "${name}" in namespace "${namespace}".${meant} ${how}`
  return new ProblemError(problem('NOT_FOUND', text))
}

/** Trace keys, which administrators rotate, and trace tokens, for which there is a scope of its own. */
import {
  CreatedTraceKey,
  CreateTraceToken,
  RetiredTraceKey,
  TraceKeyList,
  TraceToken,
} from '@switchyard/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  type ApiOptions,
  authorize,
  authorizeRecent,
  namespaceInPath,
  ProblemResponse,
  ReadQuery,
  requireJson,
  ResourcePath,
} from '../api/api.ts'
import { Callers } from '../api/callers.ts'
import { systemCommand } from '../commands/system-command.ts'

const NoMembers = z.strictObject({})

const KidPath = z.object({
  kid: z.string().regex(/^[\w-]{1,64}$/, 'the id of a trace key is letters, digits, - and _'),
})

export function installTraceRoutes(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const { traceKeys, traceTokens } = options
  const callers = new Callers()

  const mayRotate = async (request: FastifyRequest) => {
    callers.note(request, await authorizeRecent(options, request, { kind: 'admin' }))
    requireJson(request)
  }

  app.get('/v1/trace-keys', {
    schema: {
      summary: 'List the keys that sign trace tokens, newest first',
      querystring: ReadQuery,
      response: { 200: TraceKeyList, ...ProblemResponse },
    },
    onRequest: async (request) => void (await authorize(options, request, { kind: 'admin' })),
    handler: ({ query }) => traceKeys.list(query.consistency === 'strong'),
  })

  app.post('/v1/trace-keys', {
    schema: {
      summary: 'Create a trace key, or announce the one that waits in the key file',
      body: NoMembers,
      response: { 201: CreatedTraceKey, ...ProblemResponse },
    },
    onRequest: mayRotate,
    handler: async (request, reply) => {
      const command = { type: 'create-trace-key' }
      const { view, made, warnings } = await systemCommand(request, callers.of(request), command, (asked) =>
        traceKeys.create(asked),
      )
      return reply.status(201).send({ ...view, made, warnings: [...warnings] })
    },
  })

  app.delete('/v1/trace-keys/:kid', {
    schema: {
      summary: 'Retire a trace key: routers refuse what it signed',
      params: KidPath,
      body: NoMembers,
      response: { 200: RetiredTraceKey, ...ProblemResponse },
    },
    onRequest: mayRotate,
    handler: async (request) => {
      const { kid } = request.params
      const command = { type: 'retire-trace-key', kid }
      const { view, warnings } = await systemCommand(request, callers.of(request), command, (asked) =>
        traceKeys.retire(kid, asked),
      )
      return { ...view, warnings: [...warnings] }
    },
  })

  app.post('/v1/graphs/:namespace/:name/trace-tokens', {
    schema: {
      summary: 'Sign a token that opens request tracing on the routers of a graph',
      description: 'Needs the scope trace:<namespace>, which deploy:<namespace> does not include, or admin.',
      params: ResourcePath,
      body: CreateTraceToken,
      response: { 201: TraceToken, ...ProblemResponse },
    },
    onRequest: async (request) => {
      const permission = { kind: 'trace', namespace: namespaceInPath(request) } as const
      callers.note(request, await authorize(options, request, permission))
      requireJson(request)
    },
    handler: async (request, reply) => {
      const { namespace, name: graph } = request.params
      const { body } = request
      const command = { type: 'create-trace-token', namespace, graph, ...body }
      const token = await systemCommand(request, callers.of(request), command, (asked) =>
        traceTokens.issue({ namespace, graph }, body, asked),
      )
      return reply.status(201).send(token)
    },
  })
}

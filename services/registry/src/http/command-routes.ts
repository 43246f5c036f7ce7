import { randomUUID } from 'node:crypto'
import {
  CommandOutcome,
  CommandQuery,
  CreateFeatureFlag,
  CreateFeatureSubgraph,
  CreateFederatedGraph,
  CreateNamespace,
  CreateSubgraph,
  MAX_SDL_BYTES,
  Namespace,
  ProblemError,
  PublishSchema,
  ResourceName,
} from '@switchyard/contracts'
import { type Command, commandWarnings } from '@switchyard/domain'
import { traceparentOf, withSpan } from '@switchyard/service-kit'
import { SpanKind, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Caller, isAllowed } from '../access.ts'
import { awaitOutcome } from '../command-outcome.ts'
import { sdlSizeProblem } from '../sdl.ts'
import {
  type ApiOptions,
  authorize,
  forbidden,
  identify,
  NamespacePath,
  ProblemResponse,
  requireJson,
} from './api.ts'
import { hashOf, headerOf, idempotencyKeyOf } from './idempotency.ts'

const ResourcePath = z.object({ namespace: Namespace, name: ResourceName })
const NoMembers = z.strictObject({})
const response = { 200: CommandOutcome, 201: CommandOutcome, ...ProblemResponse }

/** JSON escapes make a text longer: line ends and quotes double. What is larger still is measured by its SDL. */
const PUBLISH_BODY_LIMIT = 3 * MAX_SDL_BYTES

export function installCommandRoutes(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const callers = new WeakMap<FastifyRequest, Caller>()

  /** Before the body is read: an unknown caller cannot make the registry read megabytes. */
  const onRequest = async (request: FastifyRequest) => {
    callers.set(request, await identify(options, request))
    requireJson(request)
  }
  const mayDeploy = async (request: FastifyRequest<{ Params: { namespace: string } }>) => {
    await authorize(options, request, { kind: 'deploy', namespace: request.params.namespace })
  }
  const run = (request: FastifyRequest, reply: FastifyReply, asked: Asked) => {
    const caller = callers.get(request)
    if (caller === undefined) throw new Error('a command arrived without its caller')
    return runCommand(options, request, reply, { ...asked, caller })
  }

  app.post('/v1/namespaces', {
    schema: { summary: 'Create a namespace', body: CreateNamespace, querystring: CommandQuery, response },
    onRequest,
    handler: async (request, reply) => {
      const namespace = request.body.name
      await authorize(options, request, { kind: 'deploy', namespace })
      return run(request, reply, {
        namespace,
        command: { type: 'create-namespace' },
        waitMs: request.query.wait,
      })
    },
  })

  app.post('/v1/graphs/:namespace', {
    schema: {
      summary: 'Create a federated graph',
      params: NamespacePath,
      body: CreateFederatedGraph,
      querystring: CommandQuery,
      response,
    },
    onRequest,
    preHandler: mayDeploy,
    handler: (request, reply) =>
      run(request, reply, {
        namespace: request.params.namespace,
        command: { type: 'create-federated-graph', ...request.body },
        waitMs: request.query.wait,
      }),
  })

  app.post('/v1/subgraphs/:namespace', {
    schema: {
      summary: 'Create a subgraph',
      params: NamespacePath,
      body: CreateSubgraph,
      querystring: CommandQuery,
      response,
    },
    onRequest,
    preHandler: mayDeploy,
    handler: (request, reply) =>
      run(request, reply, {
        namespace: request.params.namespace,
        command: { type: 'create-subgraph', ...request.body },
        waitMs: request.query.wait,
      }),
  })

  app.put('/v1/subgraphs/:namespace/:name/schema', {
    schema: {
      summary: 'Publish a schema to a subgraph or feature subgraph',
      params: ResourcePath,
      body: PublishSchema,
      querystring: CommandQuery,
      response,
    },
    bodyLimit: PUBLISH_BODY_LIMIT,
    onRequest,
    handler: async (request, reply) => {
      const { namespace, name } = request.params
      await authorize(options, request, { kind: 'publish', namespace })
      const { sdl, routingUrl, labels, subgraph } = request.body
      const bytes = Buffer.from(sdl)
      const refusal = sdlSizeProblem(name, bytes.length) ?? (await options.sdl.check(name, sdl))
      if (refusal !== null) throw new ProblemError(refusal)
      // In the store before the record that names it; a publish that is refused leaves an orphan to the sweep.
      const schema = await options.blobs.put(bytes)
      return run(request, reply, {
        namespace,
        command: {
          type: 'publish-schema',
          name,
          schema,
          bytes: bytes.length,
          ...(routingUrl === undefined ? {} : { routingUrl }),
          ...(labels === undefined ? {} : { labels }),
          ...(subgraph === undefined ? {} : { base: subgraph }),
        },
        waitMs: request.query.wait,
      })
    },
  })

  app.post('/v1/feature-subgraphs/:namespace', {
    schema: {
      summary: 'Create a feature subgraph',
      params: NamespacePath,
      body: CreateFeatureSubgraph,
      querystring: CommandQuery,
      response,
    },
    onRequest,
    preHandler: mayDeploy,
    handler: (request, reply) => {
      const { name, routingUrl, subgraph } = request.body
      return run(request, reply, {
        namespace: request.params.namespace,
        command: { type: 'create-feature-subgraph', name, routingUrl, base: subgraph },
        waitMs: request.query.wait,
      })
    },
  })

  app.post('/v1/feature-flags/:namespace', {
    schema: {
      summary: 'Create a feature flag',
      params: NamespacePath,
      body: CreateFeatureFlag,
      querystring: CommandQuery,
      response,
    },
    onRequest,
    preHandler: mayDeploy,
    handler: (request, reply) =>
      run(request, reply, {
        namespace: request.params.namespace,
        command: { type: 'create-feature-flag', ...request.body },
        waitMs: request.query.wait,
      }),
  })

  for (const action of ['enable', 'disable'] as const) {
    app.post(`/v1/feature-flags/:namespace/:name/${action}`, {
      schema: {
        summary: `${action === 'enable' ? 'Enable' : 'Disable'} a feature flag`,
        params: ResourcePath,
        body: NoMembers,
        querystring: CommandQuery,
        response,
      },
      onRequest,
      preHandler: mayDeploy,
      handler: (request, reply) =>
        run(request, reply, {
          namespace: request.params.namespace,
          command: { type: `${action}-feature-flag`, name: request.params.name },
          waitMs: request.query.wait,
        }),
    })
  }
}

type Asked = { readonly namespace: string; readonly command: Command; readonly waitMs: number }

async function runCommand(
  options: ApiOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { namespace, command, waitMs, caller }: Asked & { readonly caller: Caller },
): Promise<CommandOutcome> {
  const idempotencyKey = idempotencyKeyOf(request)
  const start = {
    traceparent: headerOf(request, 'traceparent'),
    kind: SpanKind.SERVER,
    attributes: { 'switchyard.namespace': namespace, 'switchyard.command': command.type },
  }
  return withSpan(trace.getTracer('switchyard.registry'), 'registry.command', start, async (span) => {
    const commandId = idempotencyKey ?? randomUUID()
    const result = await options.writer.execute({
      namespace,
      command,
      commandId,
      commandHash: idempotencyKey === null ? null : hashOf({ namespace, ...command }),
      actor: caller.actor,
      traceparent: traceparentOf(span),
      objection: (events) => {
        const creates = events.some((event) => event.type.endsWith('.created'))
        const needed = { kind: 'deploy', namespace } as const
        return creates && !isAllowed(caller, needed) ? forbidden(needed) : null
      },
    })
    const { changed, created, sequence, message, affectedGraphs } = result
    const downstream = await awaitOutcome(options.downstream, { namespace, sequence, affectedGraphs, waitMs })
    reply.status(created ? 201 : 200)
    const warnings = [...commandWarnings(options.fold.state(namespace), command, affectedGraphs)]
    return {
      commandId,
      changed,
      sequence,
      message,
      warnings,
      affectedGraphs: [...affectedGraphs],
      ...downstream,
    }
  })
}

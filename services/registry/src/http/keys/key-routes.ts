/** Routes for API keys, which decide who may use this registry. Only administrators may call them. */
import { ApiKeyList, ApiKeyView, CreateApiKey, CreatedApiKey, Namespace } from '@switchyard/contracts'
import { compareNames } from '@switchyard/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { apiKeyView, type KeyRequest } from '../../keys/key-writer.ts'
import {
  type ApiOptions,
  authorize,
  authorizeRecent,
  ProblemResponse,
  ReadQuery,
  requireJson,
} from '../api/api.ts'
import { Callers } from '../api/callers.ts'
import { systemCommand, type SystemCommandText } from '../commands/system-command.ts'

/**
 * An id has letters and digits only, so a whole key (`swy_…`) that is pasted by mistake is refused before it
 * reaches a log line or an answer.
 */
const KeyPath = z.object({
  id: z.string().regex(/^[0-9A-Za-z]{1,64}$/, 'the id of an API key is letters and digits'),
})

/** Kinds of scopes that name a namespace. */
const NAMESPACED = ['publish', 'deploy', 'trace']

export function installKeyRoutes(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const { fold, keys } = options
  const callers = new Callers()

  const mayRead = async (request: FastifyRequest) =>
    void (await authorize(options, request, { kind: 'admin' }))
  const mayWrite = async (request: FastifyRequest) => {
    callers.note(request, await authorizeRecent(options, request, { kind: 'admin' }))
    requireJson(request)
  }
  const write = <Result>(
    request: FastifyRequest,
    command: SystemCommandText,
    execute: (asked: KeyRequest) => Promise<Result>,
  ) => systemCommand(request, callers.of(request), command, execute)

  app.get('/v1/api-keys', {
    schema: {
      summary: 'List the API keys',
      querystring: ReadQuery,
      response: { 200: ApiKeyList, ...ProblemResponse },
    },
    onRequest: mayRead,
    handler: async ({ query }) => {
      const system = query.consistency === 'strong' ? await fold.systemCaughtUp() : fold.system
      const sorted = [...system.apiKeys.values()].toSorted((one, other) => compareNames(one.name, other.name))
      return { apiKeys: sorted.map(apiKeyView) }
    },
  })

  app.post('/v1/api-keys', {
    schema: {
      summary: 'Create an API key; its text is in this answer only',
      body: CreateApiKey,
      response: { 201: CreatedApiKey, ...ProblemResponse },
    },
    onRequest: mayWrite,
    handler: async (request, reply) => {
      const { body } = request
      const warnings = await unknownNamespaces(options, body.scopes)
      const { apiKey, text } = await write(request, { type: 'create-api-key', ...body }, (asked) =>
        keys.create(body, asked),
      )
      return reply.status(201).send({ ...apiKeyView(apiKey), key: text, warnings })
    },
  })

  app.delete('/v1/api-keys/:id', {
    schema: {
      summary: 'Delete an API key: it stops working at once',
      params: KeyPath,
      response: { 200: ApiKeyView, ...ProblemResponse },
    },
    onRequest: mayWrite,
    handler: async (request) => {
      const { id } = request.params
      return apiKeyView(
        await write(request, { type: 'delete-api-key', id }, (asked) => keys.delete(id, asked)),
      )
    },
  })
}

/** Warns, and does not refuse: the key may be the one that will create the namespace. */
async function unknownNamespaces(options: ApiOptions, scopes: readonly string[]): Promise<string[]> {
  const named = new Set(scopes.map((scope) => scope.slice(scope.indexOf(':') + 1)))
  const namespaces = [...named].filter((text) => Namespace.safeParse(text).success)
  const warnings: string[] = []
  for (const namespace of namespaces) {
    if (!NAMESPACED.some((kind) => scopes.includes(`${kind}:${namespace}`))) continue
    const state = await options.fold.caughtUp(namespace)
    if (!state.exists) {
      warnings.push(
        `There is no namespace "${namespace}" yet; the scope takes effect when it has been created.`,
      )
    }
  }
  return warnings
}

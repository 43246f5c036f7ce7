/** The HTTP face of the registry: routes, OpenAPI, health, and problem bodies for everything that goes wrong. */
import { isUtf8 } from 'node:buffer'
import swagger from '@fastify/swagger'
import { problem, ProblemError } from '@switchyard/contracts'
import { healthReply } from '@switchyard/service-kit'
import fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { ApiOptions } from './api.ts'
import { installCommandRoutes } from './command-routes.ts'
import { installKeyRoutes } from './key-routes.ts'
import { openapiOptions } from './openapi.ts'
import { installProblemReplies, replyToUnreadableUrl } from './problem-replies.ts'
import { installReadRoutes } from './read-routes.ts'
import { installTransferRoutes } from './transfer-routes.ts'

const BODY_LIMIT = 2 * 1024 * 1024
/** For receiving a request, which may be an import; waiting for compositions is not part of it. */
const REQUEST_TIMEOUT_MS = 10 * 60_000
/** A name has 100 characters, each of which may arrive as `%hh`. */
const MAX_PARAM_LENGTH = 1000

export async function createHttpServer(options: ApiOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    frameworkErrors: replyToUnreadableUrl,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  })
  app.removeContentTypeParser('text/plain')
  acceptJson(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  installProblemReplies(app, options.events)
  await app.register(swagger, openapiOptions)
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  installReadRoutes(app, options)
  installCommandRoutes(app, options)
  installKeyRoutes(app, options)
  installTransferRoutes(app, options, options.transfer)
  app.get('/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  app.get('/health/live', { schema: { hide: true } }, async () => healthReply({ ok: true }).body)
  app.get('/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    const { status, body } = healthReply(options.ready())
    return reply.status(status).send(body)
  })
  await app.ready()
  return app
}

/**
 * A DELETE is a write and declares its content type like every other one, but may have nothing to say. Bytes that
 * are not UTF-8 are refused: replaced one by one they would change a schema that was to be kept byte for byte.
 */
function acceptJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(Buffer.from(body)))
      done(new ProblemError(problem('INVALID_REQUEST', 'The body is not UTF-8 text.')))
    else if (request.method === 'DELETE' && body.length === 0) done(null, {})
    else void parseJson(request, body.toString('utf8'), done)
  })
}

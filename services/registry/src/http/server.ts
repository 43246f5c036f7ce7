/**
 * The HTTP server of the registry: routes, the OpenAPI document, health checks, and problem bodies for all
 * errors.
 */
import swagger from '@fastify/swagger'
import {
  clientGroupOf,
  gatheringRequest,
  healthReply,
  LineInOrder,
  REQUEST_ID_HEADER,
  requestIdOf,
  SocketTurns,
  TrustedProxies,
  withLogContext,
} from '@switchyard/service-kit'
import { openStudio } from '@switchyard/studio'
import fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type ApiOptions, routeOf } from './api/api.ts'
import { installCheckRoute } from './checks/check-route.ts'
import { answerClientError } from './client-errors.ts'
import { installCommandRoutes } from './commands/command-routes.ts'
import { acceptJson } from './json-body.ts'
import { installKeyRoutes } from './keys/key-routes.ts'
import { installLiveRoute, LIVE_PATH } from './live/live-route.ts'
import { openapiOptions } from './openapi.ts'
import { installProblemReplies, replyToUnreadableUrl, requireHost } from './api/problem-replies.ts'
import { installReadRoutes } from './reads/read-routes.ts'
import { installOpenIdConnectRoutes } from './sessions/openid-connect-routes.ts'
import { installSessionRoutes } from './sessions/session-routes.ts'
import { installTraceRoutes } from './keys/trace-routes.ts'
import { installStudioRoutes } from './studio/studio-routes.ts'
import { installTransferRoutes } from './transfer/transfer-routes.ts'

const BODY_LIMIT = 2 * 1024 * 1024
/** Milliseconds for receiving a request, which may be an import; waiting for compositions does not count. */
const REQUEST_TIMEOUT_MS = 10 * 60_000
/** A name has 100 characters, each of which may arrive as `%hh`. */
const MAX_PARAM_LENGTH = 1000

export async function createHttpServer(options: ApiOptions): Promise<FastifyInstance> {
  const proxies = new TrustedProxies(options.trustedProxies)
  const turns = new SocketTurns(new LineInOrder())
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    trustProxy: proxies.isEmpty ? false : (address) => proxies.trusts(address),
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => requestIdOf(headers[REQUEST_ID_HEADER]),
    frameworkErrors: replyToUnreadableUrl,
    clientErrorHandler: answerClientError,
    http: {
      // Refused below: node:http would answer without a body.
      requireHostHeader: false,
      IncomingMessage: gatheringRequest((socket) => turns.of(socket)),
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  })
  app.removeContentTypeParser('text/plain')
  acceptJson(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  installProblemReplies(app, options.events)
  await app.register(swagger, openapiOptions)
  // Takes a callback, so that everything done for the request runs within this log context.
  app.addHook('onRequest', (request, _reply, next) => withLogContext({ request_id: request.id }, next))
  app.addHook('onRequest', requireHost)
  app.addHook('onSend', async (request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    reply.header(REQUEST_ID_HEADER, request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    // A stream takes as long as its client wants, which is no time that anybody waits.
    if (routeOf(request) === LIVE_PATH && reply.statusCode === 200) return
    options.events.requestAnswered(request.method, routeOf(request), reply.statusCode, reply.elapsedTime)
  })
  installReadRoutes(app, options)
  installLiveRoute(app, options)
  installCheckRoute(app, options)
  installCommandRoutes(app, options)
  installSessionRoutes(app, options)
  installOpenIdConnectRoutes(app, options)
  installKeyRoutes(app, options)
  installTraceRoutes(app, options)
  installTransferRoutes(app, options, options.transfer)
  installStudioRoutes(app, openStudio(), options.publicUrls)
  app.get('/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  app.get('/health/live', { schema: { hide: true } }, async () => healthReply({ ok: true }).body)
  app.get('/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    const { status, body } = healthReply(options.ready())
    return reply.status(status).send(body)
  })
  app.server.on('connection', (socket) => turns.join(socket, clientGroupOf(socket.remoteAddress ?? '')))
  await app.ready()
  // RFC 9110 allows to ignore an unknown `Expect`; node:http would answer 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  return app
}

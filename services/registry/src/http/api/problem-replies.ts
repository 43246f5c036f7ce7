/**
 * Every error leaves as `application/problem+json` with a stable code; only what the client caused is
 * explained.
 */
import { PROBLEM_MEDIA_TYPE, type Problem, problem, ProblemError } from '@switchyard/contracts'
import { StorageUnavailableError } from '@switchyard/event-log'
import { TooManyPiecesError } from '@switchyard/service-kit'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { ApiEvents } from './api-events.ts'

export function installProblemReplies(app: FastifyInstance, events: ApiEvents): void {
  const routes = collectRoutes(app)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const value = problemOf(error)
    if ('retryAfterSeconds' in error) reply.header('retry-after', error.retryAfterSeconds)
    // Nothing more is read from its connection.
    if (error instanceof TooManyPiecesError) reply.header('connection', 'close')
    if (value.status === 500) events.requestFailed(request.method, request.url, error)
    if (error instanceof StorageUnavailableError)
      events.requestUnavailable(request.method, pathOf(request), error.message)
    return sendProblem(reply, value)
  })
  app.setNotFoundHandler((request, reply) => {
    const methods = routes.methodsOf(pathOf(request))
    if (methods.length === 0) {
      return sendProblem(
        reply,
        problem(
          'NOT_FOUND',
          `There is nothing at ${pathOf(request)}. The API is described at /v1/openapi.json.`,
        ),
      )
    }
    const allowed = methods.join(', ')
    reply.header('allow', allowed)
    return sendProblem(
      reply,
      problem(
        'METHOD_NOT_ALLOWED',
        `${pathOf(request)} does not take ${request.method}; it takes ${allowed}.`,
      ),
    )
  })
}

/** An unknown key after too many unknown keys: the log is not read again for it. */
export class TooManyFailuresError extends ProblemError {
  readonly retryAfterSeconds: number

  constructor(waitMs: number) {
    super(
      problem(
        'TOO_MANY_FAILED_AUTHENTICATIONS',
        'Too many requests with wrong API keys came from this address, or altogether, so this one was not looked at. A valid key works all the same; correct the key, or try again later.',
      ),
    )
    this.retryAfterSeconds = Math.ceil(waitMs / 1000)
  }
}

/** RFC 9112 §3.2 demands a Host header. */
export async function requireHost({ raw }: FastifyRequest): Promise<void> {
  if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return
  throw new ProblemError(problem('INVALID_REQUEST', 'The request has no Host header. Nothing was changed.'))
}

/** Answers requests whose URL cannot be read, which never reach a route. */
export function replyToUnreadableUrl(error: FastifyError, _request: unknown, reply: FastifyReply): void {
  sendProblem(
    reply,
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? problem('NOT_FOUND', 'A name in the path is longer than any name can be.')
      : problem('INVALID_REQUEST', 'The path of the request holds a percent code that cannot be read.'),
  )
}

function sendProblem(reply: FastifyReply, value: Problem): FastifyReply {
  if (value.status === 401) reply.header('www-authenticate', 'Bearer')
  if (value.status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '1')
  return reply.status(value.status).type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(value))
}

function problemOf(error: FastifyError): Problem {
  if (error instanceof ProblemError) return error.problem
  if (error instanceof TooManyPiecesError)
    return problem('INVALID_REQUEST', `${error.message} Nothing was changed.`)
  if (error instanceof StorageUnavailableError) return problem('STORAGE_UNAVAILABLE', error.message)
  if (hasZodFastifySchemaValidationErrors(error)) {
    const problems = error.validation.map(({ instancePath, message }) => {
      const where = [error.validationContext, ...instancePath.split('/').filter((part) => part !== '')]
      return `${where.join('.')}: ${message}`
    })
    const [first] = problems
    const what = problems.length === 1 ? `. ${first}` : `: ${problems.length} problems.`
    return problem('INVALID_REQUEST', `The request is not what was expected${what}`, { problems })
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problem('PAYLOAD_TOO_LARGE', 'The body is larger than this path takes. Nothing was changed.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType()
    default:
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) {
    return problem('INVALID_REQUEST', `The request cannot be read: ${error.message}`)
  }
  return problem('INTERNAL_SERVER_ERROR', 'The registry failed on this request; its log says why.')
}

export function unsupportedMediaType(): Problem {
  return problem(
    'UNSUPPORTED_MEDIA_TYPE',
    'A write takes a JSON body: send it with "Content-Type: application/json". Nothing was changed.',
  )
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/'
}

/** Patterns of all routes: Fastify tells 404 from 405 only for paths without parameters. */
function collectRoutes(app: FastifyInstance): { methodsOf: (path: string) => readonly string[] } {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const path = url
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replaceAll(/:[A-Za-z]+/g, '[^/]+')
    const pattern = new RegExp(`^${path}$`)
    routes.push({ pattern, methods: [method].flat() })
  })
  return {
    methodsOf: (path) => [
      ...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
    ],
  }
}

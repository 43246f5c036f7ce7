/**
 * Finds the part of the router that answers a path. All protocols that the server speaks use this function.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ClientResponse } from './client-response.ts'
import type { ClientRequest } from './virtual-request.ts'
import { HTTP_ERRORS, type HttpError, type HttpErrorCode } from '../errors/http-error.ts'
import type { RefusalEvents } from '../observe/refusal-events.ts'
import { answerHealth, type HealthCheck, healthCheckOf } from './health.ts'
import { hostFault, repetitionFault } from './message-checks.ts'
import { JSON_TYPE } from './negotiate.ts'
import { errorBody, NOT_STORED_LIST, sendJson } from './reply.ts'
import { type Target, targetOf } from './target.ts'

/** Answers a request for GraphQL; `search` is the query string of its URL, without the question mark. */
export type GraphQLRoute = (request: ClientRequest, response: ClientResponse, search: string) => void

/** Answers a request for something else than GraphQL. Returns false if the path is none of its own. */
export type PathRoute = (target: Target, request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Creates the listener for all requests: those for GraphQL go on to `graphql`, and health checks ask `ready`.
 * Other paths are those of `routes`.
 */
export function createHandler(options: {
  readonly basePath: string
  readonly graphql: GraphQLRoute
  readonly routes: readonly PathRoute[]
  readonly ready: HealthCheck
  readonly events: RefusalEvents
  /** Returns why a request for GraphQL that asks for another protocol does not get it; null for others. */
  readonly refusedUpgrade: (request: IncomingMessage) => HttpError | null
}): RequestListener {
  const graphqlPath = `${options.basePath}/graphql`
  return (request, response) => {
    const fault = hostFault(request) ?? repetitionFault(request)
    if (fault !== null) return refuse(request, response, 'BAD_REQUEST', fault, options.events)
    const target = targetOf(request)
    const { path } = target
    if (path === graphqlPath) {
      const refused = options.refusedUpgrade(request)
      if (refused === null) return options.graphql(request, response, target.search)
      response.setHeaders(new Map(Object.entries(refused.headers)))
      return refuse(request, response, refused.code, refused.message, options.events)
    }
    const health = healthCheckOf(path, options.ready)
    if (health !== null) return answerHealth(request, response, health)
    if (options.routes.some((route) => route(target, request, response))) return
    const message = `There is nothing at this path. GraphQL is served at ${graphqlPath}.`
    refuse(request, response, 'NOT_FOUND', message, options.events)
  }
}

/** Answers with one error, without reading the body. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  code: HttpErrorCode,
  message: string,
  events: RefusalEvents,
): void {
  events.requestRefused(code)
  request.resume()
  sendJson(response, HTTP_ERRORS[code].status, JSON_TYPE, NOT_STORED_LIST, errorBody(code, message))
}

/**
 * Finds the part of the router that answers a path. All protocols that the server speaks use this function.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { HTTP_ERRORS, type HttpErrorCode } from '../errors/http-error.ts'
import type { RefusalEvents } from '../observe/refusal-events.ts'
import { answerHealth, type HealthCheck, healthCheckOf } from './health.ts'
import { hostFault, repetitionFault } from './message-checks.ts'
import { JSON_TYPE } from './negotiate.ts'
import { errorBody, NOT_STORED_LIST, sendJson } from './reply.ts'

/** Answers a request for GraphQL; `search` is the query string of its URL, without the question mark. */
export type GraphQLRoute = (request: IncomingMessage, response: ServerResponse, search: string) => void

/**
 * Answers a request for the page that people try operations on. Returns false if the path belongs to no part
 * of it.
 */
export type PageRoute = (path: string, request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Creates the listener for all requests: those for GraphQL go on to `graphql`, and health checks ask `ready`.
 * `page` is null if there is no such page.
 */
export function createHandler(options: {
  readonly basePath: string
  readonly graphql: GraphQLRoute
  readonly page: PageRoute | null
  readonly ready: HealthCheck
  readonly events: RefusalEvents
}): RequestListener {
  const graphqlPath = `${options.basePath}/graphql`
  return (request, response) => {
    const fault = hostFault(request) ?? repetitionFault(request)
    if (fault !== null) return refuse(request, response, 'BAD_REQUEST', fault, options.events)
    const url = withoutOrigin(request.url ?? '/')
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    if (path === graphqlPath) {
      return options.graphql(request, response, query < 0 ? '' : url.slice(query + 1))
    }
    const health = healthCheckOf(path, options.ready)
    if (health !== null) return answerHealth(request, response, health)
    if (options.page?.(path, request, response) === true) return
    const message = `There is nothing at this path. GraphQL is served at ${graphqlPath}.`
    refuse(request, response, 'NOT_FOUND', message, options.events)
  }
}

/**
 * The beginning of a request line in absolute form, before the path. Proxies send that form, and RFC 9112
 * §3.2.2 demands that it is accepted.
 */
const ORIGIN = /^https?:\/\/[^/?#]*/i

function withoutOrigin(target: string): string {
  return target.startsWith('/') ? target : target.replace(ORIGIN, '')
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

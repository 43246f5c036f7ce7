/**
 * Answers health checks. `GET /health/live` tells that the process answers, `GET /health/ready` that it
 * serves a graph and is not about to stop.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HealthState, healthReply } from '@switchyard/service-kit'
import { errorBody, NOT_STORED_LIST, sendJson } from './reply.ts'

/** Tells whether the router is ready, and if it is not, why. */
export type HealthCheck = () => HealthState

/** Returns the health check at a path. Null if the path is not one of them. */
export function healthCheckOf(path: string, ready: HealthCheck): HealthCheck | null {
  if (path === '/health/live') return () => ({ ok: true })
  return path === '/health/ready' ? ready : null
}

/** Answers a health check with 200 or 503, and a request with another method than GET or HEAD with 405. */
export function answerHealth(request: IncomingMessage, response: ServerResponse, check: HealthCheck): void {
  request.resume()
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const body = errorBody('METHOD_NOT_ALLOWED', 'Health is asked for by GET.')
    return sendJson(response, 405, 'application/json', [...NOT_STORED_LIST, 'Allow', 'GET, HEAD'], body)
  }
  const { status, body } = healthReply(check())
  sendJson(response, status, 'application/json', NOT_STORED_LIST, JSON.stringify(body))
}

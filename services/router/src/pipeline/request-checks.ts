/** What a request must be before its body is looked at. Each throws HttpError. */
import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from '../errors/http-error.ts'
import type { Generations } from '../generations/generations.ts'
import type { Connections } from '../http/connections.ts'
import type { Exchange } from './exchange.ts'
import type { Traffic } from '../http/traffic.ts'

const RETRY = { 'Retry-After': '1' }

export function checkTraffic({
  traffic,
  generations,
  waitingFor,
}: {
  readonly traffic: Traffic
  readonly generations: Generations
  readonly waitingFor: () => string
}): void {
  if (traffic.draining) throw draining()
  if (generations.serving === null) {
    throw new HttpError('NOT_READY', `The router serves no graph yet: ${waitingFor()}.`, RETRY)
  }
  if (traffic.overloaded) throw overloaded()
}

/** Of a request that is read. */
export function beginProgress(exchange: Exchange, connections: Connections): void {
  if (exchange.closed) return
  if (exchange.visit?.begin() === false) throw overloaded()
  exchange.connection = connections.hold(exchange.request.socket)
}

function overloaded(): HttpError {
  return new HttpError('OVERLOADED', 'Too many requests are in progress. Try again in a moment.', RETRY)
}

export function draining(): HttpError {
  return new HttpError('DRAINING', 'This router is stopping. Try again: another one will answer.', RETRY)
}

const JSON_BODY = /^application\/(?:json|graphql\+json)\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i

/**
 * Only JSON, which no HTML form can send: a foreign page then needs a preflight request, and with it our consent, before
 * it can use a visitor's cookies.
 */
export function checkBodyType(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? ''
  if (!JSON_BODY.test(type)) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'A POST request needs Content-Type: application/json.')
  }
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'The request body must be UTF-8.')
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity' && encoding !== '') {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'Compressed request bodies are not supported.')
  }
}

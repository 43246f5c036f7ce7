/** What a request must be before its body is looked at. Each throws HttpError. */
import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from '../errors.ts'
import type { Generations } from '../generations/generations.ts'
import type { Traffic } from './traffic.ts'

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
  if (traffic.overloaded) {
    throw new HttpError('OVERLOADED', 'Too many requests are in progress. Try again in a moment.', RETRY)
  }
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

const SIMPLE_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
])
const CSRF_HEADERS = ['apollo-require-preflight', 'x-requested-with', 'graphql-require-preflight']

/** A GET request that any page could cause is refused: it must carry something that needs a preflight request. */
export function checkCsrf(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type.includes('/') && !SIMPLE_TYPES.has(type)) return
  if (CSRF_HEADERS.some((name) => headers[name] !== undefined && headers[name] !== '')) return
  throw new HttpError(
    'CSRF_PREVENTED',
    'This GET request could have been caused by any web page. Send one of the headers Apollo-Require-Preflight, ' +
      'X-Requested-With or GraphQL-Require-Preflight, or Content-Type: application/json.',
  )
}

/** Which bodies a POST request may have. */
import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from '../../errors/http-error.ts'

const JSON_BODY = /^application\/(?:json|graphql\+json)\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i

/**
 * Only JSON, which no HTML form can send: a foreign page then needs a preflight request, and with it our
 * consent, before it can use a visitor's cookies. Throws HttpError.
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
}

/** Reads `Content-Encoding` of a request: how its body is compressed, if it is. */
import { HttpError } from '../../errors/http-error.ts'
import type { ContentCoding } from '../../settings/content-codings.ts'

/**
 * Returns the coding of the body. Null if the body is not coded. `accepted` lists the codings that clients
 * may use. Throws HttpError for all others, and for several at once: each further one would multiply what a
 * body unpacks to.
 */
export function requestCodingOf(
  header: string | undefined,
  accepted: readonly ContentCoding[],
): ContentCoding | null {
  if (header === undefined) return null
  const name = header.trim().toLowerCase()
  if (name === '' || name === 'identity') return null
  const coding = accepted.find((one) => one === (name === 'x-gzip' ? 'gzip' : name))
  if (coding !== undefined) return coding
  throw new HttpError('UNSUPPORTED_MEDIA_TYPE', messageFor(name, accepted), {
    // RFC 9110, section 12.5.3: the answer tells which codings would have been taken.
    'Accept-Encoding': accepted.length === 0 ? 'identity' : accepted.join(', '),
  })
}

function messageFor(name: string, accepted: readonly ContentCoding[]): string {
  if (accepted.length === 0) {
    return 'This router takes no compressed request bodies (compression.request_encodings). Send the body uncompressed, without Content-Encoding.'
  }
  const problem = name.includes(',')
    ? 'The request body has several content codings.'
    : 'The content coding of the request body (Content-Encoding) is not supported.'
  return `${problem} Expected ${accepted.join(', ')}, alone, or an uncompressed body.`
}

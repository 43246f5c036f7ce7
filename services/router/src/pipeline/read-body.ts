import { isUtf8 } from 'node:buffer'
import { HttpError } from '../errors/http-error.ts'
import type { Exchange } from './exchange.ts'
import { BODY_MISSED, type UnreadRequests } from '../http/unread-requests.ts'

/**
 * The body as text, once all of it is there. A body over the limit is refused as early as it is known to be
 * one, and one that does not arrive when too many others wait.
 */
export async function readBody(
  exchange: Pick<Exchange, 'request' | 'response' | 'client' | 'size' | 'refuseBy'>,
  limit: number,
  unread: UnreadRequests,
): Promise<string> {
  const { request, response, client } = exchange
  const tooLarge = () =>
    new HttpError('PAYLOAD_TOO_LARGE', `The request body is larger than the ${limit} bytes allowed.`)
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) throw tooLarge()
  if (CONTINUE.test(request.headers.expect ?? '')) response.writeContinue()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let chunks: Buffer[] | null = []
  let length = 0
  const refuse = (error: HttpError): void => {
    // What still comes is let run out.
    chunks = null
    reject(error)
  }
  exchange.refuseBy(refuse)
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > limit) refuse(tooLarge())
    if (chunks === null) return
    chunks.push(chunk)
    exchange.size.received(chunk.length)
  })
  request.on('end', () => {
    // HTTP/2 also ends what was broken off.
    if (!request.complete) return reject(CLIENT_GONE)
    const [only] = chunks ?? []
    resolve(only !== undefined && only.length === length ? only : Buffer.concat(chunks ?? []))
  })
  request.on('error', reject)
  request.on('close', () => {
    if (!request.complete) reject(CLIENT_GONE)
  })
  using _waiting = unread.add(client, (error) => {
    refuse(error)
    request.emit(BODY_MISSED)
  })
  return textOf(await promise)
}

/** As node:http recognizes it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  // A replacement character that was not sent as one means that the bytes were not UTF-8.
  if (text.includes('\ufffd') && !isUtf8(bytes)) {
    throw new HttpError('BAD_REQUEST', 'The request body is not UTF-8 text.')
  }
  return text
}

/** The client closed the connection before its request was complete: nobody is there to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** Where it comes from says nothing, and clients may leave by the thousand. */
const CLIENT_GONE = new ClientGoneError('The client left before its request was complete.')

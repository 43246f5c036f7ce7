import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { HttpError } from '../errors.ts'

/** The body as text, once all of it is there. A body over the limit is refused as early as it is known to be one. */
export function readBody(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const tooLarge = () =>
      new HttpError('PAYLOAD_TOO_LARGE', `The request body is larger than the ${limit} bytes allowed.`)
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > limit) return reject(tooLarge())
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        chunks.length = 0
        return reject(tooLarge())
      }
      chunks.push(chunk)
    })
    request.on('end', () => {
      // HTTP/2 also ends what was broken off.
      if (!request.complete) return reject(new ClientGoneError())
      const [only] = chunks
      const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length)
      const text = bytes.toString('utf8')
      // A replacement character that was not sent as one means that the bytes were not UTF-8.
      if (text.includes('\ufffd') && !isUtf8(bytes)) {
        return reject(new HttpError('BAD_REQUEST', 'The request body is not UTF-8 text.'))
      }
      resolve(text)
    })
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new ClientGoneError())
    })
  })
}

/** The client closed the connection before its request was complete: nobody is there to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

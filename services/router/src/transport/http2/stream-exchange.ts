/** A request as it is sent on a stream of HTTP/2 (RFC 9113), and its answer. */
import { type ClientHttp2Stream, constants } from 'node:http2'
import type { PoolRequest } from '../dispatch/call-pool.ts'
import { Http1Call } from '../http1/exchange.ts'
import { FieldChecks } from '../http1/request-head.ts'

/** The head of this exchange has names and values alternately; names that begin with a colon come first. */
export type StreamExchange = Http1Call<readonly string[]>

/** Sends the body of a request on its stream, at once or as it comes. */
export function sendBody(stream: ClientHttp2Stream, exchange: StreamExchange): void {
  const { body, handler } = exchange
  if (typeof body === 'string') {
    stream.end(body)
    handler.onRequestSent?.()
    return
  }
  stream.on('drain', () => body.goOn())
  // An answer before the end of the body is the whole answer (RFC 9113, section 8.1).
  stream.once('end', () => {
    if (!stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL)
  })
  body.begin({
    write: (bytes) => !stream.writable || stream.write(bytes),
    end: () => {
      stream.end()
      handler.onRequestSent?.()
    },
    fail: (error) => exchange.abort(error),
  })
}

/** Makes the heads of requests to one origin. */
export class StreamHeads {
  readonly #beginning: readonly string[]
  readonly #checks = new FieldChecks()

  constructor({ protocol, host }: URL) {
    this.#beginning = [':method', 'POST', ':scheme', protocol.slice(0, -1), ':authority', host, ':path']
  }

  /** Returns the head of a request. Throws InvalidRequestError if it cannot be sent. */
  write({ path, headers = [], body }: PoolRequest): readonly string[] {
    this.#checks.checkPath(path)
    const head = [...this.#beginning, path]
    for (let index = 0; index + 1 < headers.length; index += 2) {
      const name = headers[index] ?? ''
      const value = headers[index + 1] ?? ''
      this.#checks.check(name, value)
      head.push(name.toLowerCase(), value)
    }
    if (typeof body === 'string') head.push('content-length', String(Buffer.byteLength(body)))
    return head
  }
}

/** The listening socket, with limits on what a client may send and how slowly. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RouterConfig } from '../config.ts'
import { HTTP_ERRORS, type HttpErrorCode, PortUnavailableError } from '../errors.ts'
import { errorBody } from './reply.ts'

export type HttpServer = {
  readonly url: string
  readonly port: number
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

export async function listen(handler: RequestListener, config: RouterConfig): Promise<HttpServer> {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = config.traffic
  const server = createServer(
    {
      maxHeaderSize: config.limits.headerSize,
      headersTimeout,
      requestTimeout: Math.max(requestTimeout, headersTimeout),
      keepAliveTimeout,
      connectionsCheckingInterval: Math.max(50, Math.min(5000, headersTimeout / 4)),
      noDelay: true,
      // The handler refuses a request without one: node:http would do it without a GraphQL body.
      requireHostHeader: false,
    },
    handler,
  )
  server.on('clientError', answerClientError)
  // An expectation that nobody knows may be ignored; node:http would answer 417 without a body.
  server.on('checkExpectation', handler)
  await bound(server, config)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  return {
    url: `http://${urlHost(config.host)}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A request that never became one: too large, too slow or malformed. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A request that was refused before its body came has its answer already; a second one would belong to nothing.
  const late =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesWritten > 0
  if (error.code === 'ECONNRESET' || !socket.writable || late) {
    socket.destroy()
    return
  }
  const [code, reason, message] = clientError(error.code)
  const body = errorBody(code, message)
  socket.end(
    `HTTP/1.1 ${HTTP_ERRORS[code]} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

function clientError(code: string | undefined): readonly [HttpErrorCode, string, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [
        'HEADERS_TOO_LARGE',
        'Request Header Fields Too Large',
        'The request headers are larger than allowed.',
      ]
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['REQUEST_TIMEOUT', 'Request Timeout', 'The request took too long to arrive.']
    default:
      return ['BAD_REQUEST', 'Bad Request', 'The request is not valid HTTP.']
  }
}

function bound(server: Server, { host, port }: RouterConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: unknown) => reject(new PortUnavailableError(host, port, error))
    server.once('error', refused)
    server.listen(port, host, () => {
      server.off('error', refused)
      resolve()
    })
  })
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

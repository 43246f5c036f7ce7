/**
 * The listening socket: HTTP/1.1, and HTTP/2 for clients that begin with it, on one port. Both call one handler.
 */
import type { RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import type { RouterConfig } from '../config.ts'
import { PortUnavailableError } from '../errors.ts'
import { answerSilence, createHttp1Server } from './http1.ts'
import { Http2Connections } from './http2.ts'
import { readProtocol } from './protocol.ts'

export type HttpServer = {
  readonly url: string
  readonly port: number
  /** Asks clients that keep their connection to make the next one elsewhere. */
  drain(): void
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

export async function listen(handler: RequestListener, config: RouterConfig): Promise<HttpServer> {
  const http1 = createHttp1Server(handler, config)
  const http2 = new Http2Connections(handler, config)
  /** Connections whose protocol nobody knows yet. */
  const strangers = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    strangers.add(socket)
    const silence = setTimeout(answerSilence, config.traffic.headersTimeout, socket)
    const met = (): void => {
      clearTimeout(silence)
      strangers.delete(socket)
      socket.off('close', met)
    }
    socket.on('close', met)
    readProtocol(socket, (protocol) => {
      met()
      // Only in HTTP/1 may a client that sends nothing more still wait for an answer.
      socket.allowHalfOpen = protocol === 'http/1'
      if (protocol === 'http/1') http1.emit('connection', socket)
      else http2.accept(socket)
    })
  })
  await bound(server, config)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  return {
    url: `http://${urlHost(config.host)}:${port}`,
    port,
    drain: () => http2.drain(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of strangers) socket.destroy()
        http1.close()
        http1.closeAllConnections()
        http2.destroy()
      }),
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

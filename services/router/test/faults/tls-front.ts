/**
 * A server that speaks TLS in front of another one. It hands on bytes, ends and resets, and knows nothing of
 * what the bytes mean.
 */
import { connect, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { TestCertificate } from '@switchyard/testkit'
import { listenOnFreePort } from '../support/subgraph.ts'

export type TlsFront = AsyncDisposable & { readonly port: number }

/** `behind` is the port of the server that gets what clients say. */
export async function startTlsFront(behind: number, certificate: TestCertificate): Promise<TlsFront> {
  const secureContext = createSecureContext({ cert: certificate.cert, key: certificate.key })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true).on('error', () => {})
    const secured = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
    const plain = connect({ port: behind, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    socket.on('close', () => {
      sockets.delete(socket)
      plain.destroy()
    })
    plain.on('error', () => socket.resetAndDestroy()).on('end', () => secured.end())
    secured.on('error', () => plain.destroy()).on('end', () => plain.end())
    secured.pipe(plain, { end: false })
    plain.pipe(secured, { end: false })
  })
  const port = await listenOnFreePort(server)
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/**
 * Finds out which protocol the client of a new connection speaks, and hands the connection to the server of
 * that protocol.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { clientGroupOf, type PacedConnection, type SocketTurns, WORTH } from '@switchyard/service-kit'
import type { TrafficConfig } from './traffic-settings.ts'
import type { RefusalEvents } from '../observe/refusal-events.ts'
import type { Certificate } from './certificate.ts'
import { type Connections, connectionKey } from './connections.ts'
import { answerSilence } from './http1.ts'
import { type Protocol, readProtocol } from './protocol.ts'

/** A listening server, and the connections that no server of a protocol has been given yet. */
export type Entrance = {
  readonly server: Server
  /**
   * Connections that no server of a protocol closes. Without TLS, these are connections whose protocol is not
   * known yet.
   */
  readonly unclaimed: ReadonlySet<Socket>
}

type Serve = (socket: Socket, protocol: Protocol, paced: PacedConnection) => void

/** Counts connections, and lets them take turns. */
type ConnectionParts = { readonly connections: Connections; readonly turns: SocketTurns }

/** Opens an entrance without TLS: the first bytes of a connection tell the protocol. */
export function clearEntrance(
  serve: Serve,
  config: { readonly traffic: TrafficConfig },
  { connections, turns }: ConnectionParts,
  events: RefusalEvents,
): Entrance {
  const unclaimed = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (!connections.add(socket)) return
    unclaimed.add(socket)
    let silence: NodeJS.Timeout | undefined
    const met = (): void => {
      clearTimeout(silence)
      unclaimed.delete(socket)
      socket.off('close', met)
    }
    socket.on('close', met)
    turns.join(socket, clientGroupOf(socket.remoteAddress ?? ''), (paced) => {
      // The time counts from now on: before its turn, nothing that the client sent was read.
      silence = setTimeout(answerSilence, config.traffic.headersTimeout, socket, events)
      readProtocol(socket, (protocol) => {
        met()
        turns.did(paced, WORTH.connection)
        // node:http ends such a connection itself, as on sockets that it opens: a client that sends nothing
        // more has left, for all that anybody can tell.
        socket.allowHalfOpen = protocol === 'http/1'
        serve(socket, protocol, paced)
      })
    })
  })
  return { server, unclaimed }
}

/**
 * Opens an entrance with TLS: client and server agree on the protocol in the handshake
 * (https://www.rfc-editor.org/rfc/rfc7301).
 */
export function secureEntrance(
  serve: Serve,
  certificate: Certificate,
  { traffic }: { readonly traffic: TrafficConfig },
  { connections, turns }: ConnectionParts,
  {
    onFailure,
    ticketKeys,
  }: { readonly onFailure: (reason: string) => void; readonly ticketKeys: Buffer | undefined },
): Entrance {
  const unclaimed = new Set<Socket>()
  const shaking = new Map<string, PacedConnection>()
  const tickets = ticketKeys === undefined ? {} : { ticketKeys }
  const server = createTlsServer(
    {
      ...certificate.current,
      ...tickets,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: traffic.headersTimeout,
      noDelay: true,
    },
    (socket) => {
      // From now on the TLS socket takes turns, and not the TCP socket below it.
      shaking.get(connectionKey(socket))?.[Symbol.dispose]()
      turns.join(socket, clientGroupOf(socket.remoteAddress ?? ''), (paced) =>
        // A client that names no protocol speaks HTTP/1.
        serve(socket, socket.alpnProtocol === 'h2' ? 'http/2' : 'http/1', paced),
      )
    },
  )
  certificate.onRenewed((pair) => server.setSecureContext({ ...pair, ...tickets }))
  // TCP connections below TLS are counted for as long as they are open: when one ends, so does the connection
  // that a server of a protocol knows.
  server.on('connection', (socket: Socket) => {
    if (!connections.add(socket)) return
    unclaimed.add(socket)
    const key = connectionKey(socket)
    // Shaking hands takes longer than all else that a connection begins with.
    const paced = turns.join(socket, clientGroupOf(socket.remoteAddress ?? ''), undefined, WORTH.handshake)
    shaking.set(key, paced)
    socket.once('close', () => {
      unclaimed.delete(socket)
      shaking.delete(key)
    })
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    onFailure(error.code ?? error.message)
    socket.destroy()
  })
  return { server, unclaimed }
}

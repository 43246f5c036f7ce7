/** Notes when a connection was made, by the events of its socket. */
import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Clock } from './clock.ts'

export type ConnectionEvent =
  | 'dns_start'
  | 'dns_done'
  | 'connect_start'
  | 'connect_done'
  | 'tls_handshake_start'
  | 'tls_handshake_done'

export type ConnectionTimes = ReadonlyMap<ConnectionEvent, number>

/**
 * Observes a new socket, which must have done nothing yet but begin to connect. `host` is null for a Unix
 * socket. Neither a Unix socket nor an address is looked up. These listeners come first, because a client
 * sends the request as soon as it learns of the connection.
 */
export function observeConnecting(socket: Socket, host: string | null, now: Clock): ConnectionTimes {
  const times = new Map<ConnectionEvent, number>()
  // An event may happen once for each address of the host. Only the first counts.
  const mark = (event: ConnectionEvent): void => {
    if (!times.has(event)) times.set(event, now())
  }
  if (host === null) mark('connect_start')
  else if (isIP(host) === 0) {
    mark('dns_start')
    socket.prependOnceListener('lookup', (error: Error | null) => {
      if (error === null) mark('dns_done')
    })
  }
  socket.prependOnceListener('connectionAttempt', () => mark('connect_start'))
  socket.prependOnceListener('connect', () => {
    mark('connect_done')
    if (socket instanceof TLSSocket) mark('tls_handshake_start')
  })
  socket.prependOnceListener('secureConnect', () => mark('tls_handshake_done'))
  return times
}

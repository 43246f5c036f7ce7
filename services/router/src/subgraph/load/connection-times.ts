/** When a connection came about, from the events of its socket. */
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
 * Called before the socket has done anything but begin to connect to a Unix socket, for which `host` is null.
 * Neither that nor an address is looked up. Listens first: undici sends the request as soon as it hears that
 * the connection is there.
 */
export function observeConnecting(socket: Socket, host: string | null, now: Clock): ConnectionTimes {
  const times = new Map<ConnectionEvent, number>()
  // Each happens once for each address of the host: the first attempt begins the connecting.
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

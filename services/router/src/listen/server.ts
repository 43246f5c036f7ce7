/** Listens for HTTP/1.1 and HTTP/2 on one port, with TLS or without. Both protocols call one handler. */
import type { RequestListener } from 'node:http'
import type { Server, Socket } from 'node:net'
import {
  type Listening,
  type PacedConnection,
  PortUnavailableError,
  SocketTurns,
} from '@switchyard/service-kit'
import { FairConnectionLine } from '../fairness/connection-line.ts'
import type { TlsConfig } from './tls-settings.ts'
import type { LimitsConfig, TrafficConfig } from './traffic-settings.ts'
import type { ConnectionEvents } from './connection-events.ts'
import type { Certificate } from './certificate.ts'
import type { Connections } from './connections.ts'
import { clearEntrance, secureEntrance } from './entrances.ts'
import { changeTimes, createHttp1Server, type TrafficTimes } from './http1.ts'
import { Http2Connections } from './http2.ts'
import { Pipelining } from './pipelining.ts'
import type { Protocol } from './protocol.ts'
import type { UnreadRequests } from './unread-requests.ts'
import type { UnsentAnswers } from './unsent-answers.ts'
import type { Upgrades } from './upgrades.ts'

const SETTINGS: Listening['settings'] = {
  port: 'SWITCHYARD_PORT or "port" of the settings file',
  address: 'SWITCHYARD_HOST or "host" of the settings file',
}

/** The server that a router listens with. */
export type HttpServer = {
  readonly url: string
  readonly port: number
  /** Applies the time limits of other settings from now on. */
  changeTimes(traffic: TrafficConfig): void
  /** Asks clients of HTTP/2 and WebSockets to go on at another connection. */
  drain(): void
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

/** The limits that clients share, counted by client. */
export type ListenerLimits = {
  readonly connections: Connections
  readonly unread: UnreadRequests
  readonly unsent: UnsentAnswers
}

/** Connections that another process has accepted. */
export type HandedConnections = {
  /** The URL at which that process listens. */
  readonly url: string
  readonly port: number
  /**
   * The key that encrypts tickets of TLS sessions, which clients show to whichever process they come to next.
   * 48 bytes.
   */
  readonly ticketKeys: Buffer
  /** Serves connections from now on. Called once. */
  serve(onConnection: (socket: Socket) => void): void
}

/** The settings of the port, and of the connections that come to it. */
export type ListenerConfig = {
  readonly host: string
  /** The port. With 0, the system chooses it. */
  readonly port: number
  readonly tls: TlsConfig | null
  readonly limits: LimitsConfig
  readonly traffic: TrafficConfig
}

/** Ways in which a server is reached besides its own port, and out of HTTP. */
export type ServerWays = {
  /** Connections that another process has accepted; null if the server listens itself. */
  readonly handed?: HandedConnections | null
  /** Serves connections that go on in another protocol. */
  readonly upgrades?: Upgrades | null
}

/**
 * Starts the server. If `handed` is given, it listens nowhere and serves these connections. Throws
 * PortUnavailableError.
 */
export async function listen(
  handler: RequestListener,
  config: ListenerConfig,
  certificate: Certificate | null,
  { connections, unread, unsent }: ListenerLimits,
  events: ConnectionEvents,
  { handed = null, upgrades = null }: ServerWays = {},
): Promise<HttpServer> {
  const pipelining = new Pipelining(connections, unread, () => events.listener.pipelineRefused())
  let traffic: TrafficTimes = config.traffic
  const times = () => traffic
  const turns = new SocketTurns(new FairConnectionLine())
  const http1Parts = { unsent, unread, pipelining, turns, times, upgrades }
  const http1 = createHttp1Server(handler, config, http1Parts, events.refusals)
  const http2 = new Http2Connections(handler, config, { unsent, unread, connections, turns, times }, events)
  const serve = (socket: Socket, protocol: Protocol, paced: PacedConnection): void => {
    if (protocol === 'http/1') http1.emit('connection', socket)
    else http2.accept(socket, paced)
  }
  const entrance =
    certificate === null
      ? clearEntrance(serve, config, { connections, turns }, events.refusals)
      : secureEntrance(
          serve,
          certificate,
          config,
          { connections, turns },
          {
            onFailure: (reason) => events.listener.handshakeFailed(reason),
            ticketKeys: handed?.ticketKeys,
          },
        )
  const { server, unclaimed } = entrance
  if (handed === null) await bound(server, config)
  else handed.serve((socket) => server.emit('connection', socket))
  const { url, port } = handed ?? addressOf(server, config)
  return {
    url,
    port,
    changeTimes: (next) => {
      traffic = next
      changeTimes(http1, next)
    },
    drain: () => {
      http2.drain()
      upgrades?.drain()
    },
    close: async () => {
      await upgrades?.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of unclaimed) socket.destroy()
        http1.close()
        http1.closeAllConnections()
        http2.destroy()
      })
    },
  }
}

/**
 * Connections that the system takes before the router does: as many as it allows (`net.core.somaxconn`). With
 * the 511 of Node.js, clients that come back all at once would be lost without a word.
 */
const BACKLOG = 65_535

/** Makes the server listen, and resolves when it does. Rejects with PortUnavailableError. */
export function bound(server: Server, { host, port }: Pick<ListenerConfig, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: unknown) =>
      reject(new PortUnavailableError({ what: 'router', host, port, settings: SETTINGS }, error))
    server.once('error', refused)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', refused)
      resolve()
    })
  })
}

/** Returns the URL and the port at which a server listens. */
export function addressOf(
  server: Server,
  { host, port: wanted, tls }: Pick<ListenerConfig, 'host' | 'port' | 'tls'>,
): { readonly url: string; readonly port: number } {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : wanted
  return { url: `${tls === null ? 'http' : 'https'}://${urlHost(host)}:${port}`, port }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Limits the connections of each client address, and of all clients together.
 *
 * A new connection beyond a limit replaces an idle one, on which no request is in progress: the oldest idle
 * connection of the client that has most of them. So connections that are only held open keep nobody out. If
 * every connection is busy, the new one is closed.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { clientGroupOf, type TrustedProxies } from '@switchyard/service-kit'
import { FairShare } from '../fairness/fair-share.ts'

/** How many connections one client may have, and all clients together. */
export type ConnectionLimits = { readonly perClient: number; readonly total: number }

type RemoteEnd = Pick<Socket, 'remoteAddress' | 'remotePort'>

type Connection = {
  readonly socket: Socket
  readonly client: string
  readonly key: string
  /** The connection belongs to a trusted proxy, which sends requests of many clients. */
  isProxy: boolean
  inProgress: number
}

/** The open connections of a server, by client. */
export class Connections {
  #limits: ConnectionLimits
  #proxies: TrustedProxies
  readonly #onClosed: (limits: ConnectionLimits) => void
  readonly #open = new Map<string, Connection>()
  /**
   * Connections by the socket object of a request, so that only the first request of a connection has to be
   * looked up by address.
   */
  readonly #bySocket = new WeakMap<RemoteEnd, Connection>()
  readonly #counts = new Map<string, number>()
  /** Connections on which no request is in progress. */
  readonly #waiting = new FairShare<Connection>()

  /** `onClosed` is called for each connection that is closed because of a limit. */
  constructor(
    limits: ConnectionLimits,
    proxies: TrustedProxies,
    onClosed: (limits: ConnectionLimits) => void,
  ) {
    this.#limits = limits
    this.#proxies = proxies
    this.#onClosed = onClosed
  }

  /**
   * Changes the limits. Connections beyond a lower limit stay open, and a new one then only replaces an idle
   * one. Whether a proxy is trusted is decided again for open connections, too.
   */
  change(limits: ConnectionLimits, proxies: TrustedProxies): void {
    this.#limits = limits
    this.#proxies = proxies
    for (const connection of this.#open.values())
      connection.isProxy = proxies.trusts(connection.socket.remoteAddress ?? '')
  }

  get count(): number {
    return this.#open.size
  }

  /**
   * Counts a new connection: with TLS, the TCP connection below it. Returns false if the connection was
   * closed.
   */
  add(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    const client = clientGroupOf(address)
    const isProxy = this.#proxies.trusts(address)
    const connection = { socket, client, key: connectionKey(socket), isProxy, inProgress: 0 }
    const isOverOwn = !isProxy && this.#countOf(client) >= this.#limits.perClient
    if (isOverOwn || this.count >= this.#limits.total) {
      this.#onClosed(this.#limits)
      const victim = isOverOwn ? this.#waiting.takeOldestOf(client) : this.#waiting.takeFromLargest()
      if (victim === null) {
        socket.destroy()
        return false
      }
      this.#remove(victim)
      victim.socket.destroy()
    }
    this.#open.set(connection.key, connection)
    this.#counts.set(client, this.#countOf(client) + 1)
    this.#waiting.add(client, connection)
    socket.once('close', () => this.#remove(connection))
    return true
  }

  /**
   * Keeps a connection open for a request on it, until the request is answered. Returns null if the
   * connection is closed.
   */
  hold(socket: RemoteEnd): Disposable | null {
    const connection = this.#of(socket)
    if (connection === null) return null
    if (connection.inProgress++ === 0) this.#waiting.delete(connection)
    return new HeldConnection(connection, this.#release)
  }

  /** Notes that a request on the connection is answered. */
  readonly #release = (connection: Connection): void => {
    if (--connection.inProgress > 0 || this.#open.get(connection.key) !== connection) return
    this.#waiting.add(connection.client, connection)
  }

  /** The client that a request counts for: an address, or a network of IPv6 (`clientGroupOf`). */
  clientOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const connection = this.#of(socket)
    const address = socket.remoteAddress ?? ''
    if (connection?.isProxy !== true) return connection?.client ?? clientGroupOf(address)
    const forwardedFor = headers['x-forwarded-for']
    return clientGroupOf(this.#proxies.clientOf(address, forwardedFor?.toString()))
  }

  /** Returns whether the connection belongs to a trusted proxy, which sends requests of many clients. */
  isProxy(socket: RemoteEnd): boolean {
    return this.#of(socket)?.isProxy === true
  }

  /** Returns the connection of a socket. Null if it is closed. */
  #of(socket: RemoteEnd): Connection | null {
    const known = this.#bySocket.get(socket)
    if (known !== undefined) return this.#open.get(known.key) === known ? known : null
    const found = this.#open.get(connectionKey(socket)) ?? null
    if (found !== null) this.#bySocket.set(socket, found)
    return found
  }

  #countOf(client: string): number {
    return this.#counts.get(client) ?? 0
  }

  #remove(connection: Connection): void {
    const { client, key } = connection
    if (this.#open.get(key) !== connection) return
    this.#open.delete(key)
    this.#waiting.delete(connection)
    const count = this.#countOf(client) - 1
    if (count === 0) this.#counts.delete(client)
    else this.#counts.set(client, count)
  }
}

/** A connection that is kept for one request, until the request is answered. */
class HeldConnection implements Disposable {
  readonly #connection: Connection
  readonly #release: (connection: Connection) => void

  constructor(connection: Connection, release: (connection: Connection) => void) {
    this.#connection = connection
    this.#release = release
  }

  [Symbol.dispose](): void {
    this.#release(this.#connection)
  }
}

/**
 * Makes a key that is the same for a TCP socket, for the TLS socket above it, and for the object that stands
 * for it in HTTP/2.
 */
export function connectionKey({ remoteAddress, remotePort }: RemoteEnd): string {
  return `${remoteAddress} ${remotePort}`
}

/** Makes the connections to one origin: over TCP or a Unix socket, with TLS or without. */
import { connect, isIP, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectSecurely, createSecureContext, type SecureContext } from 'node:tls'
import type { AddressGuard } from '../addresses/address-guard.ts'
import type { SecureOptions } from './tls/tls-profile.ts'

/** Where connections lead, and how they are secured. */
export type ConnectorOptions = {
  readonly origin: URL
  /** The Unix socket to connect to. Null if connections lead to the host of the origin. */
  readonly socketPath: string | null
  /** Objects to addresses that must not be connected to. */
  readonly guard: AddressGuard
  /** The options of TLS. Null if connections are not secured. */
  readonly secure: SecureOptions | null
  /** The protocol that is agreed on with TLS (ALPN). */
  readonly protocol: 'http/1.1' | 'h2'
}

/**
 * Milliseconds of silence after which TCP begins to ask whether the other side of a connection is still
 * there.
 */
const KEEP_ALIVE_PROBE = 60_000

/** Begins to make connections. */
export class Connector {
  /** The host that connections lead to. Null for a Unix socket. */
  readonly host: string | null
  readonly #options: ConnectorOptions
  readonly #hostName: string
  /** The certificates and the key as OpenSSL has them, which are read once for all connections. */
  #context: SecureContext | undefined
  /** The session of the last handshake, with which the next one is shorter. */
  #session: Buffer | undefined

  constructor(options: ConnectorOptions) {
    this.#options = options
    this.#hostName = hostOf(options.origin)
    this.host = options.socketPath === null ? this.#hostName : null
  }

  /**
   * Begins to connect. With TLS the socket says `secureConnect` when it can be used, and `connect` otherwise.
   * `onread` has the buffer that it reads into; without it the socket is a stream. Throws if the settings do
   * not allow the address.
   */
  open(onread?: OnReadOpts): Socket {
    const { secure } = this.#options
    const to = { ...this.#reach(), ...(onread !== undefined && { onread }) }
    return secure === null ? connect(to) : this.#openSecurely(to, secure)
  }

  /** Throws if the settings do not allow the address. */
  #reach() {
    const { origin, socketPath, guard } = this.#options
    if (socketPath !== null) return { path: socketPath }
    // An address in the URL is never looked up.
    const objection = guard.objectionTo(this.#hostName)
    if (objection !== null) throw objection
    return {
      host: this.#hostName,
      port: Number(origin.port || (origin.protocol === 'https:' ? 443 : 80)),
      lookup: guard.lookup,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE,
    }
  }

  #openSecurely(to: Readonly<Record<string, unknown>>, { servername, ...files }: SecureOptions): Socket {
    this.#context ??= createSecureContext(files)
    const socket = connectSecurely({
      // The host is the name in the certificate, also behind a Unix socket.
      host: this.#hostName,
      servername: servername ?? (isIP(this.#hostName) === 0 ? this.#hostName : ''),
      secureContext: this.#context,
      ...to,
      ...(this.#session !== undefined && { session: this.#session }),
      ALPNProtocols: [this.#options.protocol],
    })
    // Unlike `net.connect`, `tls.connect` takes these for nothing.
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE)
    socket.on('session', (session) => (this.#session = session))
    socket.on('error', () => (this.#session = undefined))
    return socket
  }
}

/** Returns the host of a URL, an address of IPv6 without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/**
 * A network between a program and a server that a test can break: a TCP proxy on a free loopback port. It
 * never looks at what it passes on, except for a text that a test waits for.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export type ProxyTarget = { readonly host: string; readonly port: number }

/** A reaction to a text on its way to the server, which is passed on or held. No answer comes back. */
export type Seen = {
  readonly text: string
  readonly write: 'passed' | 'held'
  readonly onSeen: () => void
}

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  readonly connections: number
  /**
   * Ends every disturbance. Connections that were silenced stay silent, since bytes lost on the way never
   * come.
   */
  pass(): void
  /** Resets every connection, and each new one at once. */
  cut(): void
  /**
   * Passes nothing on any more and tells nobody, as a firewall that forgets a connection. Both ends stay
   * connected.
   */
  silence(): void
  /** Delays each piece from the server. */
  delay(milliseconds: number): void
  /** Takes nothing more from the server, as a client that does not read. */
  stall(): void
  /**
   * Calls `onSeen` once, at the first piece to the server that has the text. Returns how to give up waiting.
   */
  when(seen: Seen): () => void
}

type Mode = 'pass' | 'cut' | 'silence'

export async function startTcpProxy(target: ProxyTarget): Promise<TcpProxy> {
  const server = createServer({ allowHalfOpen: false })
  const proxy = new ServerProxy(server, target)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return proxy
}

class ServerProxy implements TcpProxy {
  readonly #server: Server
  readonly #target: ProxyTarget
  readonly #links = new Set<Link>()
  #mode: Mode = 'pass'
  #delayMs = 0
  #stalled = false
  #seen: Seen | null = null

  constructor(server: Server, target: ProxyTarget) {
    this.#server = server
    this.#target = target
    server.on('connection', (client) => this.#accept(client))
  }

  get port(): number {
    const address = this.#server.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  }

  get connections(): number {
    return this.#links.size
  }

  pass(): void {
    this.#mode = 'pass'
    this.#delayMs = 0
    this.#stalled = false
    for (const link of this.#links) link.resume()
  }

  cut(): void {
    this.#mode = 'cut'
    for (const link of this.#links) link.reset()
  }

  silence(): void {
    this.#mode = 'silence'
    for (const link of this.#links) link.silent = true
  }

  delay(milliseconds: number): void {
    this.#delayMs = milliseconds
  }

  stall(): void {
    this.#stalled = true
    for (const link of this.#links) link.pause()
  }

  when(seen: Seen): () => void {
    this.#seen = seen
    return () => {
      if (this.#seen === seen) this.#seen = null
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    for (const link of this.#links) link.reset()
    await once(this.#server, 'close')
  }

  #accept(client: Socket): void {
    if (this.#mode === 'cut') {
      client.on('error', () => {})
      client.resetAndDestroy()
      return
    }
    const link = new Link(client, connect(this.#target), {
      delayMs: () => this.#delayMs,
      awaited: () => this.#seen,
      onSeen: () => {
        this.#seen = null
      },
      onEnd: () => this.#links.delete(link),
    })
    link.silent = this.#mode === 'silence'
    if (this.#stalled) link.pause()
    this.#links.add(link)
  }
}

type LinkOptions = {
  readonly delayMs: () => number
  readonly awaited: () => Seen | null
  readonly onSeen: () => void
  readonly onEnd: () => void
}

/** The number of earlier characters that are kept, since the expected text may begin in them. */
const KEPT_TEXT = 256

class Link {
  readonly #client: Socket
  readonly #server: Socket
  readonly #options: LinkOptions
  #text = ''
  #answers = true
  #late: Promise<void> = Promise.resolve()
  #lateOnes = 0
  #stalled = false
  silent = false

  constructor(client: Socket, server: Socket, options: LinkOptions) {
    this.#client = client
    this.#server = server
    this.#options = options
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
    }
    client.on('data', (piece: Buffer) => this.#toServer(piece))
    server.on('data', (piece: Buffer) => this.#toClient(piece))
    client.once('close', () => this.#clientClosed())
    server.once('close', () => this.#serverClosed())
  }

  pause(): void {
    this.#stalled = true
    this.#server.pause()
  }

  resume(): void {
    this.#stalled = false
    this.#server.resume()
  }

  reset(): void {
    for (const socket of [this.#client, this.#server]) {
      if (socket.connecting) socket.destroy()
      else socket.resetAndDestroy()
    }
  }

  #toServer(piece: Buffer): void {
    if (this.silent || this.#isHeld(piece)) return
    if (!this.#server.write(piece)) {
      this.#client.pause()
      this.#server.once('drain', () => this.#client.resume())
    }
  }

  /** True if the piece has the text that a test waits for, and is not to be passed on. */
  #isHeld(piece: Buffer): boolean {
    const awaited = this.#options.awaited()
    if (awaited === null) {
      this.#text = ''
      return false
    }
    this.#text = this.#text.slice(-KEPT_TEXT) + piece.toString('latin1')
    if (!this.#text.includes(awaited.text)) return false
    this.#answers = false
    this.#options.onSeen()
    awaited.onSeen()
    if (awaited.write === 'held') this.silent = true
    return this.silent
  }

  #toClient(piece: Buffer): void {
    const delayMs = this.#options.delayMs()
    if (delayMs === 0 && this.#lateOnes === 0) {
      this.#answer(piece)
      return
    }
    this.#lateOnes += 1
    const due = new Promise((resolve) => setTimeout(resolve, delayMs))
    this.#late = Promise.all([this.#late, due]).then(() => {
      this.#lateOnes -= 1
      this.#answer(piece)
    })
  }

  #answer(piece: Buffer): void {
    if (this.silent || !this.#answers || this.#client.destroyed) return
    if (this.#client.write(piece)) return
    this.#server.pause()
    this.#client.once('drain', () => {
      if (!this.#stalled) this.#server.resume()
    })
  }

  #clientClosed(): void {
    // What it wrote before it died still reaches the server.
    this.#server.end()
    this.#server.resume()
    this.#options.onEnd()
  }

  #serverClosed(): void {
    // Nobody tells the other end that is cut off.
    if (!this.silent) this.#client.destroy()
  }
}

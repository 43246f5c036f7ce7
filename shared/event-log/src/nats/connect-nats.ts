/**
 * One connection to NATS, shared by everything a service does there.
 *
 * It reconnects for ever. What waits for an answer when the connection breaks is told at once through `session`, and
 * what wants to send while there is none is refused instead of being queued: a queued append could be written long
 * after its caller gave up.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, errors, type NatsConnection } from '@nats-io/transport-node'
import { observeConnection, type ObservedConnection } from '@switchyard/service-kit'
import { EventLogUnavailableError } from '../errors.ts'
import { parseNatsAddress } from './nats-address.ts'

const CONNECT_TIMEOUT_MS = 5_000
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000
const FLUSH_LIMIT_MS = 1_000

export interface NatsLink extends AsyncDisposable {
  readonly connection: NatsConnection
  /** `host:port` of the servers, without credentials. */
  readonly servers: string
  readonly connected: boolean
  /** Aborts when the present connection breaks; a new signal follows with the next one. */
  readonly session: AbortSignal
  /** Resolves when connected, rejects with the signal's reason, or when the link was closed. */
  whenConnected(signal?: AbortSignal): Promise<void>
  /** Resolves when the link is closed for good: null when it was disposed, else the reason. */
  readonly closed: Promise<Error | null>
}

export type ConnectNatsOptions = {
  /** `nats://host:port`, several servers separated by commas; see parseNatsAddress. */
  readonly url: string
  /** Shown in the server's list of connections. */
  readonly name: string
  /** Ends waiting for the first connection. */
  readonly signal?: AbortSignal
  /** Told, once per reason, why there is no connection yet. */
  readonly onWaiting?: (reason: string) => void
}

/** Waits for the first connection, as long as it takes; wrong credentials fail at once. */
export async function connectNats({ url, name, signal, onWaiting }: ConnectNatsOptions): Promise<NatsLink> {
  const { servers, tls, ...credentials } = parseNatsAddress(url)
  const label = servers.join(', ')
  using parts = new DisposableStack()
  const observed = parts.use(observeConnection('nats', label))
  let told: string | null = null
  for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, LONGEST_RETRY_MS)) {
    signal?.throwIfAborted()
    try {
      const connection = await connect({
        servers: [...servers],
        ...credentials,
        ...(tls ? { tls: {} } : {}),
        name,
        timeout: CONNECT_TIMEOUT_MS,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 200,
        reconnectJitter: 100,
        ignoreAuthErrorAbort: true,
        pingInterval: 10_000,
        maxPingOut: 2,
      })
      if (signal?.aborted === true) {
        await connection.close()
        signal.throwIfAborted()
      }
      parts.move()
      return new Link(connection, label, observed)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof errors.AuthorizationError) {
        throw new EventLogUnavailableError(`NATS at ${label} refused the credentials`, error)
      }
      const reason = `no connection to NATS at ${label}: ${error instanceof Error ? error.message : String(error)}`
      if (reason !== told) onWaiting?.(reason)
      told = reason
    }
    await sleep(delay * (0.5 + Math.random() / 2), undefined, { signal })
  }
}

class Link implements NatsLink {
  readonly connection: NatsConnection
  readonly servers: string
  readonly closed: Promise<Error | null>
  readonly #observed: ObservedConnection
  #session = new AbortController()
  #connected = true
  #ended = false
  #waiting = new Set<() => void>()

  constructor(connection: NatsConnection, servers: string, observed: ObservedConnection) {
    this.connection = connection
    this.servers = servers
    this.#observed = observed
    observed.connected = true
    this.closed = this.#watch()
  }

  get connected(): boolean {
    return this.#connected
  }

  get session(): AbortSignal {
    return this.#session.signal
  }

  async whenConnected(signal?: AbortSignal): Promise<void> {
    while (!this.#connected) {
      signal?.throwIfAborted()
      if (this.#ended) throw new EventLogUnavailableError('the connection to NATS was closed')
      await this.#changed(signal)
    }
    signal?.throwIfAborted()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#connected) await Promise.race([this.connection.flush().catch(() => {}), sleep(FLUSH_LIMIT_MS)])
    this.#lose('closed')
    await this.connection.close()
    await this.closed
    this.#observed[Symbol.dispose]()
  }

  async #watch(): Promise<Error | null> {
    const reason = this.connection.closed()
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') this.#lose('disconnected')
      if (status.type === 'reconnect') this.#restore()
    }
    const error = await reason
    this.#ended = true
    this.#lose('closed')
    this.#wake()
    return error instanceof Error ? error : null
  }

  #lose(how: string): void {
    if (!this.#connected) return
    this.#connected = false
    this.#observed.connected = false
    this.#session.abort(new EventLogUnavailableError(`the connection to NATS at ${this.servers} is ${how}`))
  }

  #restore(): void {
    this.#session = new AbortController()
    this.#connected = true
    this.#observed.connected = true
    this.#wake()
  }

  #changed(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal?.addEventListener('abort', wake)
    })
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const wake of waiting) wake()
  }
}

/** A connection of one's own, or one that somebody else opened and will close. */
export type NatsAccess = { readonly url: string; readonly name: string } | { readonly link: NatsLink }

/** The link to use and what to dispose with it. */
export async function linkFor(
  access: NatsAccess & Pick<ConnectNatsOptions, 'signal' | 'onWaiting'>,
): Promise<{ readonly link: NatsLink; readonly release: () => Promise<void> }> {
  if ('link' in access) return { link: access.link, release: async () => {} }
  const link = await connectNats(access)
  return { link, release: async () => link[Symbol.asyncDispose]() }
}

/** `promise`, unless the connection breaks first: then the session's EventLogUnavailableError. */
export async function whileConnected<Value>(link: NatsLink, promise: Promise<Value>): Promise<Value> {
  const { session } = link
  let onAbort = (): void => {}
  const broken = new Promise<never>((_, reject) => {
    onAbort = () => reject(session.reason)
    if (session.aborted) onAbort()
    else session.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([promise, broken])
  } finally {
    session.removeEventListener('abort', onAbort)
  }
}

/**
 * One connection to NATS, shared by everything a service does there.
 *
 * It reconnects for ever. What waits for an answer when the connection breaks is told at once through
 * `session`, and what wants to send while there is none is refused instead of being queued: a queued append
 * could be written long after its caller gave up.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  observeConnection,
  type ObservedConnection,
  observeTlsFiles,
  type ServerProblem,
} from '@switchyard/service-kit'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { EventLogUnavailableError } from '../log/errors.ts'
import { type NatsOptions, natsOptions } from './nats-options.ts'
import { natsProblemOf, OLDEST_SUPPORTED } from './nats-problem.ts'
import type { NatsSettings } from './nats-settings.ts'
import type { NatsProblemCode } from './problem-codes.ts'
import { type NatsNames, SERVICE_NAMES } from './setting-names.ts'
import { isOlder } from './versions.ts'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000
const FLUSH_LIMIT_MS = 1_000
/** A connection that is back before needs no reason. */
const FIRST_PROBE_MS = 1_000
const PROBE_EVERY_MS = 5_000
/** Subjects that a service uses without having the right to. */
const MOST_FORBIDDEN = 100

export interface NatsLink extends AsyncDisposable {
  readonly connection: NatsConnection
  /** `host:port` of the servers, without credentials. */
  readonly servers: string
  readonly connected: boolean
  /** Aborts when the present connection breaks; a new signal follows with the next one. */
  readonly session: AbortSignal
  /** Resolves when connected, rejects with the signal's reason, or when the link was closed. */
  whenConnected(signal?: AbortSignal): Promise<void>
  /** Explains what an error of NATS means for the service that this link belongs to. */
  problemOf(error: unknown): ServerProblem
  /** Resolves when the link is closed for good: null when it was disposed, else the reason. */
  readonly closed: Promise<Error | null>
}

/** The functions that are called with problems of NATS. */
export type NatsWatcher = {
  /**
   * Called with the reason why there is no connection, or why a start waits; null when that is over. The same
   * reason may come again.
   */
  readonly onProblem?: (problem: ServerProblem | null) => void
  /** Called with a warning about something that hinders nothing. */
  readonly onWarning?: (problem: ServerProblem) => void
}

export type ConnectNatsOptions = NatsSettings &
  NatsWatcher & {
    /**
     * Shown in the server's list of connections, and part of the subjects of replies; the row in the table of
     * permissions.
     */
    readonly name: string
    /** How messages call these settings. The default is the variables of services. */
    readonly names?: NatsNames
    /** Ends waiting for the first connection. */
    readonly signal?: AbortSignal
  }

/** Waits for the first connection, as long as it takes: wrong credentials may be put right, too. */
export async function connectNats(settings: ConnectNatsOptions): Promise<NatsLink> {
  const { name, names = SERVICE_NAMES, signal, onProblem = () => {}, onWarning = () => {} } = settings
  const nats = natsOptions(settings, name)
  const server = `NATS at ${nats.servers.join(', ')}`
  using parts = new DisposableStack()
  const observed = parts.use(observeConnection('nats', nats.servers.join(', ')))
  const certificates = parts.use(observeTlsFiles('nats', settings.tls))
  for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, LONGEST_RETRY_MS)) {
    signal?.throwIfAborted()
    try {
      nats.check()
      const connection = await connect(nats.options)
      if (signal?.aborted === true) {
        await connection.close()
        signal.throwIfAborted()
      }
      parts.move()
      onProblem(null)
      warnOfOldServer(connection, server, onWarning)
      return new ConnectedLink(connection, nats, {
        name,
        names,
        onProblem,
        onWarning,
        observed,
        certificates,
      })
    } catch (error) {
      signal?.throwIfAborted()
      onProblem(natsProblemOf(error, { server, user: name, names, usesTls: 'tls' in nats.options }))
    }
    await sleep(delay * (0.5 + Math.random() / 2), undefined, { signal })
  }
}

function warnOfOldServer(
  { info }: NatsConnection,
  server: string,
  warn: (problem: ServerProblem) => void,
): void {
  const version = info?.version ?? OLDEST_SUPPORTED
  if (!isOlder(version, OLDEST_SUPPORTED)) return
  warn({
    code: 'NATS_TOO_OLD' satisfies NatsProblemCode,
    message: `${server} is version ${version}. Before ${OLDEST_SUPPORTED} it cannot write each record to the disk before it acknowledges it, nor keep replicas safely: use it for trying only, and upgrade it.`,
  })
}

type LinkParts = Required<NatsWatcher> & {
  readonly name: string
  readonly names: NatsNames
  readonly observed: ObservedConnection
  readonly certificates: Disposable
}

class ConnectedLink implements NatsLink {
  readonly connection: NatsConnection
  readonly servers: string
  readonly closed: Promise<Error | null>
  readonly #observed: ObservedConnection
  readonly #certificates: Disposable
  #session = new AbortController()
  #connected = true
  #ended = false
  readonly #forbidden = new Set<string>()
  #waiting = new Set<() => void>()
  readonly #nats: NatsOptions
  readonly #name: string
  readonly #names: NatsNames
  readonly #watcher: Required<NatsWatcher>

  constructor(
    connection: NatsConnection,
    nats: NatsOptions,
    { name, names, observed, certificates, ...watcher }: LinkParts,
  ) {
    this.connection = connection
    this.servers = nats.servers.join(', ')
    this.#nats = nats
    this.#name = name
    this.#names = names
    this.#watcher = watcher
    this.#observed = observed
    this.#certificates = certificates
    observed.connected = true
    this.closed = this.#watch()
  }

  problemOf(error: unknown): ServerProblem {
    const usesTls = 'tls' in this.#nats.options
    const about = { server: `NATS at ${this.servers}`, user: this.#name, names: this.#names, usesTls }
    return natsProblemOf(error, about)
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
    this.#certificates[Symbol.dispose]()
  }

  async #watch(): Promise<Error | null> {
    const reason = this.connection.closed()
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') {
        this.#lose('disconnected')
        void this.#findReason(this.#session.signal)
      }
      if (status.type === 'reconnect') this.#restore()
      if (status.type === 'error') this.#notePermission(status.error)
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
    this.#forbidden.clear()
    this.#watcher.onProblem(null)
    this.#wake()
  }

  /** Each once in a connection: who was given more rights is connected anew. */
  #notePermission(error: Error): void {
    const problem = this.problemOf(error)
    if (problem.code !== 'NATS_PERMISSION_MISSING' || this.#forbidden.has(problem.message)) return
    if (this.#forbidden.size < MOST_FORBIDDEN) this.#forbidden.add(problem.message)
    this.#watcher.onWarning(problem)
  }

  /**
   * The client goes on trying and says nothing about why that fails, so a connection of its own is tried
   * beside it.
   */
  async #findReason(lost: AbortSignal): Promise<void> {
    for (let wait = FIRST_PROBE_MS; ; wait = PROBE_EVERY_MS) {
      await sleep(wait, undefined, { ref: false })
      const over = (): boolean => this.#connected || this.#ended || this.#session.signal !== lost
      if (over()) return
      try {
        this.#nats.check()
        const probe = await connect({ ...this.#nats.options, name: `${this.#name}, a try`, reconnect: false })
        await probe.close()
      } catch (error) {
        if (!over()) this.#watcher.onProblem(this.problemOf(error))
      }
    }
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
export type NatsAccess = (NatsSettings & { readonly name: string }) | { readonly link: NatsLink }

/** The link to use and what to dispose with it. */
export async function linkFor(
  access: NatsAccess & NatsWatcher & Pick<ConnectNatsOptions, 'signal'>,
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

/** One NATS with events: a connection that is made in the background and comes back by itself. */
import type { NatsLink } from '@switchyard/event-log'
import { type Logger, ServerProblems } from '@switchyard/service-kit'
import type { BrokerSettings } from '../settings.ts'
import { paceReading } from './pace-reading.ts'

/** Hears of the connection. */
export interface ConnectionWatcher {
  lost(): void
  /** The connection is there again. NATS has been told of all subscriptions. */
  back(): void
}

/** The name of the connection, which is part of the subjects of replies: `_INBOX.router.>`. */
const NAME = 'router'

/** Clients choose subjects within those of the schema. */
const MOST_FORBIDDEN = 1000

type PermissionViolation = Error & { readonly operation: string; readonly subject: string }

function isPermissionViolation(error: Error): error is PermissionViolation {
  return error.name === 'PermissionViolationError' && 'operation' in error && 'subject' in error
}

/** A provider of events. */
export class NatsProvider implements AsyncDisposable {
  readonly #problems: ServerProblems
  readonly #abort = new AbortController()
  readonly #watchers = new Set<ConnectionWatcher>()
  readonly #opened: Promise<NatsLink | null>
  /** Subjects to which nothing may be published, as the server has said on the present connection. */
  readonly #forbidden = new Set<string>()
  #link: NatsLink | null = null

  constructor(id: string, settings: BrokerSettings, logger: Logger) {
    this.#problems = new ServerProblems(logger, 'nats')
    this.#opened = this.#open(id, settings)
  }

  /** The connection, if there is one at the moment. */
  get connected(): NatsLink | null {
    return this.#link?.connected === true ? this.#link : null
  }

  /** Whether the server has said that nothing may be published to a subject. */
  isForbidden(subject: string): boolean {
    return this.#forbidden.has(subject)
  }

  /** Calls `then` when there is a connection, at once if there is. Dispose to give up. */
  whenConnected(then: (link: NatsLink) => void): Disposable {
    let isOver = false
    const wait = async (): Promise<void> => {
      const link = await this.#opened
      await link?.whenConnected(this.#abort.signal)
      if (link !== null && !isOver) then(link)
    }
    // It ends with the provider.
    wait().catch(() => undefined)
    return { [Symbol.dispose]: () => void (isOver = true) }
  }

  watch(watcher: ConnectionWatcher): Disposable {
    this.#watchers.add(watcher)
    return { [Symbol.dispose]: () => void this.#watchers.delete(watcher) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort()
    this.#watchers.clear()
    await (await this.#opened)?.[Symbol.asyncDispose]()
  }

  async #open(id: string, settings: BrokerSettings): Promise<NatsLink | null> {
    const { signal } = this.#abort
    try {
      const { connectNats } = await import('@switchyard/event-log/connect-nats')
      const link = await connectNats({
        ...settings,
        name: NAME,
        names: namesOf(id),
        signal,
        onProblem: this.#problems.tell,
        onWarning: this.#problems.warn,
      })
      this.#link = link
      paceReading(link.connection)
      void this.#follow(link)
      void this.#noteForbidden(link)
      return link
    } catch (error) {
      if (signal.aborted) return null
      // An address that cannot be understood: the settings should have refused it.
      this.#problems.tell({ code: 'NATS_UNREACHABLE', message: String(error) })
      return null
    }
  }

  async #noteForbidden({ connection }: NatsLink): Promise<void> {
    for await (const status of connection.status()) {
      // Who was given more rights is connected anew.
      if (status.type === 'reconnect' || this.#forbidden.size > MOST_FORBIDDEN) this.#forbidden.clear()
      if (status.type !== 'error' || !isPermissionViolation(status.error)) continue
      if (status.error.operation === 'publish') this.#forbidden.add(status.error.subject)
    }
  }

  /** Tells the watchers of each loss. */
  async #follow(link: NatsLink): Promise<void> {
    const { signal } = this.#abort
    while (!signal.aborted) {
      const { session } = link
      if (!session.aborted)
        await new Promise((resolve) => {
          session.addEventListener('abort', resolve, { once: true })
        })
      if (signal.aborted) return
      for (const watcher of this.#watchers) watcher.lost()
      try {
        await link.whenConnected(signal)
      } catch {
        return
      }
      paceReading(link.connection)
      for (const watcher of this.#watchers) watcher.back()
    }
  }
}

/** How messages call the settings of a provider. */
function namesOf(id: string) {
  const owner = `events.providers.${id}`
  return {
    owner,
    url: `${owner}.url`,
    caFile: `${owner}.ca_file`,
    certFile: `${owner}.cert_file`,
    keyFile: `${owner}.key_file`,
    passwordFile: `${owner}.password_file`,
    tokenFile: `${owner}.token_file`,
    credentialsFile: `${owner}.credentials_file`,
    missingRight:
      'Give its user this right in the configuration of NATS; docs/events.md has an example. Nothing is heard or sent there until then.',
  }
}

/** Providers by their names. */
export class NatsProviders implements AsyncDisposable {
  readonly #byId: ReadonlyMap<string, NatsProvider>

  constructor(settings: ReadonlyMap<string, BrokerSettings>, logger: Logger) {
    this.#byId = new Map([...settings].map(([id, own]) => [id, new NatsProvider(id, own, logger)]))
  }

  get(id: string): NatsProvider | undefined {
    return this.#byId.get(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#byId.values()].map((provider) => provider[Symbol.asyncDispose]()))
  }
}

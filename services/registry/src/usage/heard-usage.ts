/**
 * Hears what routers count of requests and writes it down some time later, many messages at once. A message
 * that is lost is missed in the coverage, so nobody takes something for unused because of it.
 */
import type { GraphName, RouterHeartbeat, RouterUsage } from '@switchyard/contracts'
import { hearUsage, type HearUsageOptions, logEvent, type RoutersHeard } from '@switchyard/service-kit'
import { RecentMinutes } from './recent-minutes.ts'
import { HOUR_MS, TAKEN_HOURS, UsageTooLargeError, type UsageStore } from './usage-store.ts'
import { MINUTES_PER_HOUR } from './usage-block.ts'

const MINUTE_MS = 60_000
/** Clocks of routers may be so far ahead, in minutes. */
const AHEAD_MINUTES = 2
/** Characters of messages that wait to be written. What comes beyond is lost. */
const MOST_WAITING = 32 * 1024 * 1024
/** Hours of graphs that wait to be written. */
const MOST_HOURS = 2000
/** Routers of a graph whose heartbeats wait to be written. */
const MOST_ROUTERS = 2000
const WRITE_EVERY_MS = 20_000
const MAINTAIN_EVERY_MS = HOUR_MS

export type HeardUsageOptions = Omit<HearUsageOptions, 'onUsage'> & {
  readonly store: UsageStore
  /** Whether messages arrive at this moment, as far as this process knows. */
  readonly isListening: () => boolean
  /** Whether there is such a graph; null while nobody knows. */
  readonly isGraph: (graph: GraphName) => boolean | null
  /** Unix milliseconds. */
  readonly now: () => number
  readonly monotonicNow: () => number
}

/** The log events of this file. */
export const LOGGED = {
  notStored: logEvent('usage.not-stored', {
    level: 'warn',
    fields: ['err'],
    services: 'registry',
    says: 'Usage that routers told could not be written, or old usage not removed; it is tried again',
    advice: 'Look at the storage of the registry. Minutes that are lost are missing in the coverage',
  }),
}

/** Messages and signs of life of one hour of a graph that are not written yet. */
type Waiting = {
  readonly graph: GraphName
  readonly hour: number
  readonly messages: RouterUsage[]
  /** Routers that were alive, by name and process, with their minutes. */
  readonly alive: Map<string, { readonly router: Router; readonly minutes: Set<number> }>
}
type Router = Pick<RouterHeartbeat, 'instance' | 'boot'>

export class HeardUsage implements AsyncDisposable {
  readonly #options: HeardUsageOptions
  readonly #minutes = new RecentMinutes()
  readonly #heard: RoutersHeard
  readonly #stop = new AbortController()
  #waiting = new Map<string, Waiting>()
  #waitingLength = 0
  #writing: Promise<void> = Promise.resolve()
  #listened = 0

  constructor(options: HeardUsageOptions) {
    this.#options = options
    this.#heard = hearUsage({ ...options, onUsage: (usage) => this.#hear(usage) })
    const timers = [
      setInterval(() => this.#tell(this.written()), WRITE_EVERY_MS),
      setInterval(() => this.#tell(options.store.maintain()), MAINTAIN_EVERY_MS),
    ]
    this.#tell(options.store.maintain())
    this.#stop.signal.addEventListener('abort', () => {
      this.#heard[Symbol.dispose]()
      for (const timer of timers) clearInterval(timer)
    })
  }

  get warning(): string | null {
    return this.#heard.warning
  }

  /** The last minutes of all graphs. */
  get minutes(): RecentMinutes {
    return this.#minutes
  }

  /** Takes a heartbeat that counts as a sign of life in this minute. */
  hearAlive({ namespace, graph, instance, boot, state }: RouterHeartbeat): void {
    if (state !== 'serving' && state !== 'draining') return
    const minute = this.#minute()
    const waiting = this.#waitingFor({ namespace, graph }, minute)
    if (waiting === null) return
    const key = JSON.stringify([instance, boot])
    const known = waiting.alive.get(key) ?? { router: { instance, boot }, minutes: new Set() }
    if (!waiting.alive.has(key) && waiting.alive.size >= MOST_ROUTERS) return
    waiting.alive.set(key, known)
    known.minutes.add(minute)
  }

  /** Resolves when everything that was heard so far is written. */
  written(): Promise<void> {
    const writing = this.#writing.catch(() => {}).then(() => this.#write())
    this.#writing = writing
    return writing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.written().catch((error: unknown) => this.#notWritten(error))
  }

  #hear(message: RouterUsage): boolean {
    const now = this.#minute()
    const { minute, since } = message
    if (minute > now + AHEAD_MINUTES || minute < now - TAKEN_HOURS * MINUTES_PER_HOUR) return false
    if (since > minute) return false
    this.#minutes.add(message, now)
    const { length } = JSON.stringify(message)
    const waiting = this.#waitingFor(message, minute)
    if (waiting === null || this.#waitingLength + length > MOST_WAITING) return false
    waiting.messages.push(message)
    this.#waitingLength += length
    return true
  }

  #waitingFor({ namespace, graph }: GraphName, minute: number): Waiting | null {
    const hour = Math.floor(minute / MINUTES_PER_HOUR)
    const key = JSON.stringify([namespace, graph, hour])
    const known = this.#waiting.get(key)
    if (known !== undefined) return known
    if (this.#waiting.size >= MOST_HOURS) return null
    const waiting = { graph: { namespace, graph }, hour, messages: [], alive: new Map() }
    this.#waiting.set(key, waiting)
    return waiting
  }

  async #write(): Promise<void> {
    const { store, isListening } = this.#options
    const minute = this.#minute()
    for (const [key, waiting] of this.#waiting) {
      const isGraph = this.#options.isGraph(waiting.graph)
      if (isGraph === null) continue
      this.#waiting.delete(key)
      for (const message of waiting.messages) this.#waitingLength -= JSON.stringify(message).length
      if (!isGraph) continue
      try {
        await this.#writeHour(waiting)
      } catch (error) {
        this.#notWritten(error)
        if (!(error instanceof UsageTooLargeError)) {
          this.#keep(waiting)
          throw error
        }
      }
    }
    // It says at once that everything before is written.
    if (isListening() && minute !== this.#listened) {
      await store.listened(minute)
      this.#listened = minute
    }
  }

  async #writeHour({ graph, hour, messages, alive }: Waiting): Promise<void> {
    const { store } = this.#options
    // Whoever reads a row finds its document.
    const documents = messages.flatMap((message) => message.documents)
    if (documents.length > 0) await store.addDocuments(graph, documents)
    await store.update(graph, hour, (block) => {
      const added = messages.map((message) => block.add(message))
      const heard = [...alive.values()].flatMap(({ router, minutes }) =>
        [...minutes].map((minute) => block.hear(router, minute)),
      )
      return [...added, ...heard].some(Boolean)
    })
  }

  /** Keeps what could not be written, for the next attempt. */
  #keep({ graph, hour, messages, alive }: Waiting): void {
    const waiting = this.#waitingFor(graph, hour * MINUTES_PER_HOUR)
    if (waiting === null) return
    for (const message of messages) {
      waiting.messages.push(message)
      this.#waitingLength += JSON.stringify(message).length
    }
    for (const [key, { router, minutes }] of alive) {
      const known = waiting.alive.get(key) ?? { router, minutes: new Set() }
      waiting.alive.set(key, known)
      for (const minute of minutes) known.minutes.add(minute)
    }
  }

  #tell(work: Promise<void>): void {
    work.catch((error: unknown) => this.#notWritten(error))
  }

  #notWritten(error: unknown): void {
    LOGGED.notStored.write(this.#options.logger, { err: error })
  }

  #minute(): number {
    return Math.floor(this.#options.now() / MINUTE_MS)
  }
}

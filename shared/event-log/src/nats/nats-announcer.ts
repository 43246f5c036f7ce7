import { errors, type Msg, type Subscription } from '@nats-io/transport-node'
import type { Announcer } from '../log/event-log.ts'
import type { AnnouncerOptions } from '../memory/memory-announcer.ts'
import { checkAnnouncementPattern, checkAnnouncementSubject } from '../log/subjects.ts'
import { linkFor, type NatsAccess, type NatsLink, type NatsWatcher } from './connect-nats.ts'

/** Notices are small; the server allows what `max_payload` says. */
const MAX_NOTICE_BYTES = 256 * 1024
/** Who may publish to a subject may publish garbage at any rate: not each is worth a line in a log. */
const UNREADABLE_TOLD_EVERY_MS = 1000
/** A subscription that NATS does not permit ends; rights that are given later are found by trying again. */
const FORBIDDEN_AGAIN_MS = 5_000

type Listener = {
  readonly pattern: string
  readonly handler: (message: unknown, subject: string) => void
  subscription: Subscription | null
}

/**
 * Notices over core NATS. Returns at once: with an address it connects in the background, so that a service
 * that can start without NATS does; until then notices are lost and subscriptions wait.
 */
export function createNatsAnnouncer(options: NatsAccess & NatsWatcher & AnnouncerOptions): Announcer {
  return new NatsAnnouncer(options, options.onError ?? (() => {}))
}

class NatsAnnouncer implements Announcer {
  readonly #onError: (error: unknown, subject: string) => void
  readonly #listeners = new Set<Listener>()
  readonly #abort = new AbortController()
  readonly #starting: Promise<void>
  #link: NatsLink | null = null
  #unreadableTold = -UNREADABLE_TOLD_EVERY_MS
  #release: () => Promise<void> = async () => {}

  constructor(access: NatsAccess & NatsWatcher, onError: (error: unknown, subject: string) => void) {
    this.#onError = onError
    if ('link' in access) this.#link = access.link
    this.#starting = this.#link === null ? this.#start(access) : Promise.resolve()
  }

  announce(subject: string, message: unknown): void {
    checkAnnouncementSubject(subject)
    const link = this.#link
    // Without a connection the client would keep the notice and send it when it is no longer news.
    if (link === null || !link.connected || this.#abort.signal.aborted) return
    try {
      link.connection.publish(subject, JSON.stringify(message ?? null))
    } catch (error) {
      this.#onError(error, subject)
    }
  }

  subscribe(pattern: string, handler: (message: unknown, subject: string) => void): Disposable {
    checkAnnouncementPattern(pattern)
    const listener: Listener = { pattern, handler, subscription: null }
    this.#listeners.add(listener)
    if (this.#link !== null) this.#attach(this.#link, listener)
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(listener)
        this.#detach(listener)
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort()
    for (const listener of this.#listeners) this.#detach(listener)
    this.#listeners.clear()
    await this.#starting
    await this.#release()
  }

  async #start(access: NatsAccess & NatsWatcher): Promise<void> {
    try {
      const { link, release } = await linkFor({ ...access, signal: this.#abort.signal })
      this.#link = link
      this.#release = release
      for (const listener of this.#listeners) this.#attach(link, listener)
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#onError(error, '')
    }
  }

  #attach(link: NatsLink, listener: Listener): void {
    if (link.connection.isClosed()) return
    listener.subscription = link.connection.subscribe(listener.pattern, {
      callback: (error, message) => {
        try {
          if (error !== null) return this.#refused(link, listener, error)
          const notice = this.#read(message, listener.pattern)
          if (notice !== undefined) listener.handler(notice, message.subject)
        } catch (failure) {
          this.#onError(failure, listener.pattern)
        }
      },
    })
  }

  /** The link tells about missing rights. */
  #refused(link: NatsLink, listener: Listener, error: Error): void {
    listener.subscription = null
    if (!(error instanceof errors.PermissionViolationError)) return this.#onError(error, listener.pattern)
    const again = setTimeout(() => {
      if (this.#listeners.has(listener)) this.#attach(link, listener)
    }, FORBIDDEN_AGAIN_MS)
    again.unref()
  }

  /** undefined for what no announcer has sent. */
  #read({ data }: Msg, pattern: string): unknown {
    try {
      if (data.length > MAX_NOTICE_BYTES) throw new RangeError(`a notice has ${data.length} bytes`)
      return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8'))
    } catch (failure) {
      const now = performance.now()
      if (now - this.#unreadableTold < UNREADABLE_TOLD_EVERY_MS) return undefined
      this.#unreadableTold = now
      this.#onError(failure, pattern)
      return undefined
    }
  }

  #detach(listener: Listener): void {
    if (this.#link?.connection.isClosed() === false) listener.subscription?.unsubscribe()
    listener.subscription = null
  }
}

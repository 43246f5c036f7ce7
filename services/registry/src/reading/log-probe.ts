/**
 * Tells whether the log can be reached right now. A reader of a log waits silently through an interruption,
 * so the probe asks: at the start until the log has been read once, then every two seconds.
 */
import { type EventLog, StorageUnavailableError } from '@switchyard/event-log'
import { messageOf } from '@switchyard/values'
import type { ReadingEvents } from './reading-events.ts'

const INTERVAL_MS = 2000
const RETRY_MS = 200

export class LogProbe implements AsyncDisposable {
  readonly #log: EventLog
  readonly #events: ReadingEvents
  readonly #catchUp: () => Promise<void>
  readonly #alsoAsk: () => Promise<void>
  readonly #stop = Promise.withResolvers<void>()
  readonly #first = Promise.withResolvers<void>()
  readonly #run: Promise<void>
  #isStopped = false
  hasSucceeded = false
  problem: string | null = null

  /** `alsoAsk` is called with every probe, and throws if the storage cannot be used. */
  constructor(
    log: EventLog,
    events: ReadingEvents,
    catchUp: () => Promise<void>,
    alsoAsk: () => Promise<void>,
  ) {
    this.#log = log
    this.#events = events
    this.#catchUp = catchUp
    this.#alsoAsk = alsoAsk
    this.#run = this.#probe()
  }

  /** Resolves when the log was read for the first time; rejects with the reason of the signal. */
  async firstSuccess(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const aborted = Promise.withResolvers<never>()
    const abort = () => aborted.reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      await Promise.race([this.#first.promise, aborted.promise])
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    this.#stop.resolve()
    await this.#run
  }

  async #probe(): Promise<void> {
    while (!this.#isStopped) {
      try {
        if (this.hasSucceeded) await this.#log.last({ kind: 'log', log: 'registry' })
        else await this.#catchUp()
        await this.#alsoAsk()
        this.#succeed()
      } catch (error) {
        if (this.#isStopped) return
        this.#fail(error)
      }
      await this.#pause(this.problem === null ? INTERVAL_MS : RETRY_MS)
    }
  }

  #succeed(): void {
    if (!this.hasSucceeded) this.#events.ready()
    else if (this.problem !== null) this.#events.storageAvailable()
    this.hasSucceeded = true
    this.problem = null
    this.#first.resolve()
  }

  #fail(error: unknown): void {
    if (this.problem === null) this.#events.storageUnavailable(error)
    const reason = messageOf(error)
    this.problem = error instanceof StorageUnavailableError ? reason : `the log cannot be read: ${reason}`
  }

  async #pause(milliseconds: number): Promise<void> {
    const over = Promise.withResolvers<void>()
    const timer = setTimeout(() => over.resolve(), milliseconds)
    await Promise.race([over.promise, this.#stop.promise])
    clearTimeout(timer)
  }
}

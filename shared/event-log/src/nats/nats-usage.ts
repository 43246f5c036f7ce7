/**
 * The usage of routers as a stream of NATS keeps it for a day, so that a registry that was away misses
 * nothing. Messages may come twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { ALL_ROUTER_USAGE } from '@switchyard/contracts'
import { nanos } from '@nats-io/transport-node'
import type { NatsLink } from './connect-nats.ts'
import { ensureStream } from './nats-key-values.ts'
import type { CreateOptions } from './streams.ts'

const STREAM = 'usage'
const KEPT_MS = 24 * 60 * 60_000
/** Bytes of the stream. The oldest messages go when there are more. */
const MOST_BYTES = 512 * 1024 * 1024
const ANSWER_MS = 5_000
const RETRY_MS = 5_000

type Handler = (message: unknown, subject: string) => void

export class NatsUsage implements Disposable {
  readonly #link: NatsLink
  readonly #options: CreateOptions
  readonly #stop = new AbortController()
  #listeners = 0

  constructor(link: NatsLink, options: CreateOptions) {
    this.#link = link
    this.#options = options
  }

  /** Whether a listener reads the stream at this moment. */
  get isListening(): boolean {
    return this.#listeners > 0 && this.#link.connected
  }

  /** Brings the messages that NATS got since a time (Unix ms) and all that come; all that it has if null. */
  subscribe(handler: Handler, beginning: () => Promise<number | null>): Disposable {
    const end = new AbortController()
    void this.#follow(handler, beginning, AbortSignal.any([end.signal, this.#stop.signal]))
    return { [Symbol.dispose]: () => end.abort() }
  }

  [Symbol.dispose](): void {
    this.#stop.abort()
  }

  async #follow(
    handler: Handler,
    beginning: () => Promise<number | null>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted && !this.#link.connection.isClosed()) {
      try {
        await this.#link.whenConnected(signal)
        await this.#read(handler, await beginning(), AbortSignal.any([signal, this.#link.session]))
      } catch {
        // What NATS refused is told by the link; whatever was missed comes with the next attempt.
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #read(handler: Handler, since: number | null, signal: AbortSignal): Promise<void> {
    const { connection } = this.#link
    const jsm = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false })
    await ensureStream(jsm, this.#options, {
      name: STREAM,
      subjects: [ALL_ROUTER_USAGE],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(KEPT_MS),
      max_bytes: MOST_BYTES,
      num_replicas: this.#options.replicas ?? 1,
    })
    const start =
      since === null
        ? { deliver_policy: DeliverPolicy.All }
        : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(since).toISOString() }
    const consumer = await jetstream(connection, { timeout: ANSWER_MS }).consumers.get(STREAM, start)
    const messages = await consumer.consume({ max_messages: 50, idle_heartbeat: 5_000 })
    const stop = (): void => messages.stop()
    signal.addEventListener('abort', stop, { once: true })
    this.#listeners += 1
    try {
      if (signal.aborted) return
      for await (const message of messages) handler(parsed(message.data), message.subject)
    } finally {
      this.#listeners -= 1
      signal.removeEventListener('abort', stop)
      messages.stop()
    }
  }
}

/** Null for what is no JSON: no router has sent it. */
function parsed(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'))
  } catch {
    return null
  }
}

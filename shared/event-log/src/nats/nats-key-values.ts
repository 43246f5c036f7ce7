/**
 * Values in a bucket of NATS, a stream that keeps the last message of each subject. It is opened when it is
 * first used, so that no start waits for it and a right that is missing stops nothing else.
 */
import {
  DiscardPolicy,
  jetstream,
  type JetStreamClient,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { BlobStoreUnavailableError } from '../log/errors.ts'
import type { KeyValue, KeyValueStore } from '../log/event-log.ts'
import { type NatsLink, whileConnected } from './connect-nats.ts'
import { WRONG_LAST_SEQUENCE } from './nats-event-log.ts'
import { isStreamGone } from './ordered-delivery.ts'
import { adjustReplicas, checkReplicas, type CreateOptions } from './streams.ts'

const ANSWER_MS = 5_000
const NO_MESSAGE = 10_037

type Open = { readonly js: JetStreamClient; readonly jsm: JetStreamManager }

export class NatsKeyValues implements KeyValueStore {
  readonly #link: NatsLink
  readonly #bucket: string
  readonly #options: CreateOptions
  #opening: Promise<Open> | null = null

  constructor(link: NatsLink, bucket: string, options: CreateOptions) {
    this.#link = link
    this.#bucket = bucket
    this.#options = options
  }

  async get(key: string): Promise<KeyValue | null> {
    return this.#ask(async ({ jsm }) => {
      try {
        const found = await jsm.streams.getMessage(this.#stream, { last_by_subj: this.#subjectOf(key) })
        return found === null ? null : { bytes: found.data, revision: found.seq }
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === NO_MESSAGE) return null
        throw error
      }
    })
  }

  async set(key: string, bytes: Uint8Array, revision: number): Promise<boolean> {
    return this.#ask(async ({ js }) => {
      try {
        const expect = { lastSubjectSequence: revision }
        await js.publish(this.#subjectOf(key), bytes, { expect, retries: 0 })
        return true
      } catch (error) {
        if (error instanceof JetStreamApiError && WRONG_LAST_SEQUENCE.has(error.code)) return false
        throw error
      }
    })
  }

  async keys(prefix: string): Promise<readonly string[]> {
    return this.#ask(async ({ jsm }) => {
      const filter = this.#subjectOf(`${prefix}.>`)
      const { state } = await jsm.streams.info(this.#stream, { subjects_filter: filter })
      const before = this.#subjectOf('').length
      return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(before))
    })
  }

  async delete(key: string): Promise<void> {
    await this.#ask(({ jsm }) => jsm.streams.purge(this.#stream, { filter: this.#subjectOf(key) }))
  }

  get #stream(): string {
    return `KV_${this.#bucket}`
  }

  #subjectOf(key: string): string {
    return `$KV.${this.#bucket}.${key}`
  }

  /** Throws StorageUnavailableError if NATS does not answer, or refuses. */
  async #ask<Value>(question: (open: Open) => Promise<Value>): Promise<Value> {
    if (!this.#link.connected) throw new BlobStoreUnavailableError('NATS is not connected')
    this.#opening ??= this.#open()
    try {
      return await whileConnected(this.#link, question(await this.#opening))
    } catch (error) {
      // Somebody may have removed the bucket: then it is made anew.
      this.#opening = null
      throw new BlobStoreUnavailableError(error instanceof Error ? error.message : String(error), error)
    }
  }

  async #open(): Promise<Open> {
    const { replicas = 1 } = this.#options
    checkReplicas(this.#link, replicas)
    const { connection } = this.#link
    const jsm = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false })
    await ensureStream(jsm, this.#options, {
      name: this.#stream,
      subjects: [this.#subjectOf('>')],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      max_msgs_per_subject: 1,
      allow_rollup_hdrs: true,
      deny_delete: true,
      num_replicas: replicas,
    })
    return { js: jetstream(connection, { timeout: ANSWER_MS }), jsm }
  }
}

/** Makes a stream unless it is there. */
export async function ensureStream(
  jsm: JetStreamManager,
  options: CreateOptions,
  config: Parameters<JetStreamManager['streams']['add']>[0],
): Promise<void> {
  try {
    const { config: found } = await jsm.streams.info(config.name)
    await adjustReplicas(jsm, found, options)
  } catch (error) {
    if (!isStreamGone(error)) throw error
    await jsm.streams.add(config)
  }
}

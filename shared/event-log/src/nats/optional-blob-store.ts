/**
 * A store that may not be there: its bucket was not created yet, or this service may not create or read it.
 * It is opened when it is first used, so that no start waits for it. While it cannot be opened it holds
 * nothing, and nothing can be put.
 */
import { BlobMissingError, BlobStoreUnavailableError, StreamMissingError } from '../log/errors.ts'
import type { BlobStore } from '../log/event-log.ts'

/** Milliseconds until a bucket is tried again that NATS refused: it may take seconds to refuse. */
const RETRY_MS = 30_000

export class OptionalBlobStore implements BlobStore {
  readonly #open: () => Promise<BlobStore>
  readonly #monotonicNow: () => number
  #opening: Promise<BlobStore> | null = null
  #refused: { readonly error: unknown; readonly at: number } | null = null
  #disposed = false

  /** `open` rejects with StreamMissingError while there is no bucket, which is asked again at any use. */
  constructor(open: () => Promise<BlobStore>, monotonicNow: () => number = () => performance.now()) {
    this.#open = open
    this.#monotonicNow = monotonicNow
  }

  async put(bytes: Uint8Array): Promise<string> {
    return (await this.#opened()).put(bytes)
  }

  async putAll(blobs: readonly Uint8Array[]): Promise<readonly string[]> {
    return (await this.#opened()).putAll(blobs)
  }

  async get(sha256: string): Promise<Uint8Array> {
    const store = await this.#orNull()
    if (store === null) throw new BlobMissingError(sha256)
    return store.get(sha256)
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.#orNull())?.has(sha256) ?? false
  }

  async *list(): ReturnType<BlobStore['list']> {
    const store = await this.#orNull()
    if (store !== null) yield* store.list()
  }

  async delete(sha256: string, storedBefore?: number): Promise<boolean> {
    return (await this.#orNull())?.delete(sha256, storedBefore) ?? false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    await (await this.#opening?.catch(() => null))?.[Symbol.asyncDispose]()
  }

  /** Null if there is no bucket. */
  async #orNull(): Promise<BlobStore | null> {
    try {
      return await this.#opened()
    } catch (error) {
      if (error instanceof StreamMissingError) return null
      throw error
    }
  }

  async #opened(): Promise<BlobStore> {
    if (this.#disposed) throw new BlobStoreUnavailableError('it was closed')
    if (this.#refused !== null && this.#monotonicNow() - this.#refused.at < RETRY_MS)
      throw this.#refused.error
    this.#opening ??= this.#open()
    try {
      return await this.#opening
    } catch (error) {
      this.#opening = null
      if (error instanceof StreamMissingError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      const unavailable = new BlobStoreUnavailableError(reason, error)
      this.#refused = { error: unavailable, at: this.#monotonicNow() }
      throw unavailable
    }
  }
}

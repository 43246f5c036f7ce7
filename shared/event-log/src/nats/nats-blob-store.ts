import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { Objm, type ObjectInfo, type ObjectStore } from '@nats-io/obj'
import pMap from 'p-map'
import { GatheredPieces } from '@switchyard/service-kit/gathered-pieces'
import { getWithRetries, MAX_BLOB_BYTES, RENEWED_AFTER_MS } from '../log/blob.ts'
import { BlobCorruptedError, BlobStoreUnavailableError, StreamMissingError } from '../log/errors.ts'
import type { BlobStore } from '../log/event-log.ts'
import { deleteUnchanged, readDescription, renewUnchanged } from './object-description.ts'
import { linkFor, type NatsAccess, type NatsLink, whileConnected } from './connect-nats.ts'
import { OptionalBlobStore } from './optional-blob-store.ts'
import { adjustReplicas, checkReplicas, type CreateOptions } from './streams.ts'
import { untilItWorks, type StartWait } from './until-it-works.ts'

/** The bucket of the blobs that records name, and that of pieces of artifacts. */
const BUCKETS = { blobs: 'switchyard-blobs', pieces: 'switchyard-pieces' } as const
/** Blobs that are put at a time. */
const PUT_AT_A_TIME = 16
const ANSWER_MS = 5_000
const STALL_MS = 5_000

export type NatsBlobStoreOptions = NatsAccess &
  StartWait &
  CreateOptions & {
    /** True in the service that creates the bucket; the others wait for it. */
    readonly owns: boolean
  }

/** Blobs in a JetStream object store, one object per blob, named by its hash. */
export async function openNatsBlobStore(options: NatsBlobStoreOptions): Promise<BlobStore> {
  const { link, release } = await linkFor(options)
  try {
    checkReplicas(link, options.replicas ?? 1)
    const open = () => openBucket(link, BUCKETS.blobs, options)
    return new NatsBlobStore(link, release, await untilItWorks(link, options, open))
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * The store of artifacts in pieces, over an open connection. No start waits for it, and services go on
 * without it: most of what is in pieces is there as a whole as well.
 */
export function openNatsPieces(
  link: NatsLink,
  options: CreateOptions & { readonly owns: boolean },
): BlobStore {
  checkReplicas(link, options.replicas ?? 1)
  return new OptionalBlobStore(
    async () => new NatsBlobStore(link, async () => {}, await openBucket(link, BUCKETS.pieces, options)),
  )
}

/** An open bucket, and what manages its stream. */
type OpenBucket = {
  readonly name: string
  readonly bucket: ObjectStore
  readonly jsm: JetStreamManager
}

async function openBucket(
  link: NatsLink,
  name: string,
  options: CreateOptions & { readonly owns: boolean },
): Promise<OpenBucket> {
  const { owns, replicas = 1 } = options
  const manager = new Objm(jetstream(link.connection, { timeout: ANSWER_MS }))
  const bucket = owns ? await manager.create(name, { replicas }) : await openExisting(manager, name)
  const jsm = await jetstreamManager(link.connection, { timeout: ANSWER_MS, checkAPI: false })
  if (owns) {
    const { replicas: found } = await bucket.status()
    await adjustReplicas(jsm, { name: `OBJ_${name}`, num_replicas: found }, options)
  }
  return { name, bucket, jsm }
}

async function openExisting(manager: Objm, name: string): Promise<ObjectStore> {
  try {
    return await manager.open(name)
  } catch (error) {
    if (error instanceof Error && error.message === 'object store not found')
      throw new StreamMissingError(name.replace(/^switchyard-/, ''))
    throw error
  }
}

class NatsBlobStore implements BlobStore {
  readonly #link: NatsLink
  readonly #release: () => Promise<void>
  readonly #name: string
  readonly #bucket: ObjectStore
  readonly #jsm: JetStreamManager
  #disposed = false

  constructor(link: NatsLink, release: () => Promise<void>, { name, bucket, jsm }: OpenBucket) {
    this.#link = link
    this.#release = release
    this.#name = name
    this.#bucket = bucket
    this.#jsm = jsm
  }

  async put(bytes: Uint8Array): Promise<string> {
    const sha256 = await hashOf(bytes)
    for (;;) {
      const found = await this.#description(sha256)
      if (found === null) {
        await this.#ask(() => this.#bucket.putBlob({ name: sha256 }, bytes))
        return sha256
      }
      if (Date.now() - Date.parse(found.content.mtime) <= RENEWED_AFTER_MS) return sha256
      // Somebody who removes it, or puts it too, may be faster: then it is looked at again.
      if (await this.#ask(() => renewUnchanged(this.#jsm, found))) return sha256
    }
  }

  async putAll(blobs: readonly Uint8Array[]): Promise<readonly string[]> {
    return pMap(blobs, (bytes) => this.put(bytes), { concurrency: PUT_AT_A_TIME })
  }

  async get(sha256: string): Promise<Uint8Array> {
    let incomplete = 0
    return getWithRetries(sha256, async () => {
      const info = await this.#info(sha256)
      if (info === null) return null
      refuseForeign(sha256, info)
      const bytes = await this.#ask(() => this.#readObject(sha256))
      if (bytes !== null && (await hashOf(bytes)) === sha256) return bytes
      // Another writer may have replaced the object while it was read; then the new one is read.
      if ((await this.#info(sha256))?.nuid !== info.nuid) return null
      if (bytes !== null) throw new BlobCorruptedError(sha256, 'its bytes have another hash')
      incomplete += 1
      if (incomplete === 2) throw new BlobCorruptedError(sha256, 'parts of it are missing')
      return null
    })
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.#info(sha256)) !== null
  }

  async *list(): AsyncIterable<{
    readonly sha256: string
    readonly storedAt: number
    readonly size: number
  }> {
    for (const { name, mtime, size } of await this.#ask(() => this.#bucket.list())) {
      yield { sha256: name, storedAt: Date.parse(mtime), size }
    }
  }

  async delete(sha256: string, storedBefore?: number): Promise<boolean> {
    for (;;) {
      const found = await this.#description(sha256)
      if (found === null) return false
      if (storedBefore !== undefined && Date.parse(found.content.mtime) >= storedBefore) return false
      if (await this.#ask(() => deleteUnchanged(this.#jsm, found))) return true
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    await this.#release()
  }

  async #info(sha256: string): Promise<ObjectInfo | null> {
    const info = await this.#ask(() => this.#bucket.info(sha256))
    return info === null || info.deleted ? null : info
  }

  async #description(sha256: string) {
    const found = await this.#ask(() => readDescription(this.#jsm, this.#name, sha256))
    return found === null || found.content.deleted === true ? null : found
  }

  /** Null when the object cannot be read to its end: the client would wait for a missing part for ever. */
  async #readObject(sha256: string): Promise<Uint8Array | null> {
    const result = await this.#bucket.get(sha256)
    if (result === null) return null
    // The same failure arrives through the reader.
    result.error.catch(() => {})
    const reader = result.data.getReader()
    const blocks: Buffer[] = []
    const parts = new GatheredPieces((bytes) => blocks.push(bytes))
    try {
      for (;;) {
        const timer = new AbortController()
        const stalled = sleep(STALL_MS, 'stalled' as const, { signal: timer.signal }).catch(
          () => 'stalled' as const,
        )
        const part = await Promise.race([reader.read(), stalled])
        timer.abort()
        if (part === 'stalled') return null
        if (part.done) {
          parts.flush()
          return new Uint8Array(Buffer.concat(blocks))
        }
        const { buffer, byteOffset, byteLength } = part.value
        parts.add(Buffer.from(buffer, byteOffset, byteLength))
        if (parts.length > MAX_BLOB_BYTES) throw tooLarge(sha256, parts.length)
        if (parts.areTooMany) throw new BlobCorruptedError(sha256, 'it has thousands of very small parts')
      }
    } catch (error) {
      if (!this.#link.connected || error instanceof BlobCorruptedError) throw error
      return null
    } finally {
      await reader.cancel().catch(() => {})
    }
  }

  async #ask<Value>(question: () => Promise<Value>): Promise<Value> {
    if (this.#disposed) throw new BlobStoreUnavailableError('it was closed')
    if (!this.#link.connected) {
      throw new BlobStoreUnavailableError(`not connected to NATS at ${this.#link.servers}, reconnecting`)
    }
    try {
      return await whileConnected(this.#link, question())
    } catch (error) {
      if (error instanceof BlobCorruptedError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new BlobStoreUnavailableError(reason, error)
    }
  }
}

/**
 * Refuses a blob by its description, before any of it is read. Everybody who may write to the bucket can
 * describe a blob as they like, so that the bytes are counted, too.
 */
function refuseForeign(sha256: string, { size, options }: ObjectInfo): void {
  if (options?.link !== undefined) throw new BlobCorruptedError(sha256, 'it is a link')
  if (size > MAX_BLOB_BYTES) throw tooLarge(sha256, size)
}

function tooLarge(sha256: string, size: number): BlobCorruptedError {
  return new BlobCorruptedError(sha256, `it has ${size} bytes or more, expected ${MAX_BLOB_BYTES} at most`)
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return Buffer.from(digest).toString('hex')
}

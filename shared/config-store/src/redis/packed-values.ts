/**
 * Gzipped values in Redis that are named by the hash of what they unpack to: the artifacts of graphs, or
 * pieces of them.
 */
import { MAX_PACKED_ARTIFACT_BYTES } from '@switchyard/contracts'
import { checkArtifact, checkHash } from '../store/artifact.ts'
import { batchesOf } from '../store/batches.ts'
import type { GraphKey, ListedHash } from '../store/config-store.ts'
import { MAX_LISTED } from '../store/limits.ts'
import type { PackedKeys } from './keys.ts'
import type { RedisConnection } from './redis-connection.ts'
import { DELETE_OLD_PACKED, DELETE_PACKED, LIST_PACKED, RENEW_PACKED, WRITE_PACKED } from './scripts.ts'
import { orWrongType } from './wrong-type.ts'

const PART_BYTES = 1024 * 1024
/** Values that are written at a time. */
const WRITTEN_AT_A_TIME = 16
/** Values that one script renews: it holds Redis for about a millisecond. */
const RENEWED_AT_A_TIME = 500

export type PackedValuesOptions = {
  readonly keysOf: (graph: GraphKey) => PackedKeys
  /** Says what one of the values is, with its article. */
  readonly name: string
  readonly onCorruption: (key: string, problem: string) => void
}

export class PackedValues {
  readonly #connection: RedisConnection
  readonly #options: PackedValuesOptions

  constructor(connection: RedisConnection, options: PackedValuesOptions) {
    this.#connection = connection
    this.#options = options
  }

  async get(graph: GraphKey, sha256: string): Promise<Uint8Array | null> {
    checkHash(sha256)
    const { keysOf, name, onCorruption } = this.#options
    const key = keysOf(graph).value(sha256)
    // 0: it is not there; null: it is no text.
    const size = await this.#connection.ask((client) => orWrongType(client.strlen(key)))
    if (size === null || size > MAX_PACKED_ARTIFACT_BYTES) {
      onCorruption(
        key,
        size === null
          ? `not ${name} as it was written`
          : `it has ${size} bytes, expected ${MAX_PACKED_ARTIFACT_BYTES} at most`,
      )
      return null
    }
    return size === 0 ? null : await this.#readInParts(key, size)
  }

  async has(graph: GraphKey, sha256: string): Promise<boolean> {
    checkHash(sha256)
    const { value } = this.#options.keysOf(graph)
    return (await this.#connection.ask((client) => client.exists(value(sha256)))) === 1
  }

  async put(graph: GraphKey, sha256: string, gzipped: Uint8Array): Promise<void> {
    checkArtifact(sha256, gzipped)
    const { value, times } = this.#options.keysOf(graph)
    const bytes = Buffer.from(gzipped.buffer, gzipped.byteOffset, gzipped.byteLength)
    await this.#connection.ask((client) =>
      client.eval(WRITE_PACKED, 2, value(sha256), times, sha256, bytes, String(Date.now())),
    )
  }

  async putAll(graph: GraphKey, values: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [sha256, gzipped] of values) checkArtifact(sha256, gzipped)
    for (const batch of batchesOf(values, WRITTEN_AT_A_TIME))
      await Promise.all(batch.map(([sha256, gzipped]) => this.put(graph, sha256, gzipped)))
  }

  /** Makes the values that are there count as stored now. Returns the hashes of those that are not there. */
  async renew(graph: GraphKey, sha256s: Iterable<string>): Promise<readonly string[]> {
    const { value, times } = this.#options.keysOf(graph)
    const missing: string[] = []
    const now = String(Date.now())
    const most = String(MAX_PACKED_ARTIFACT_BYTES)
    for (const batch of batchesOf(new Set(sha256s), RENEWED_AT_A_TIME)) {
      for (const sha256 of batch) checkHash(sha256)
      const keys = [times, ...batch.map(value)]
      const found = await this.#connection.ask((client) =>
        client.eval(RENEW_PACKED, keys.length, ...keys, now, most, ...batch),
      )
      if (Array.isArray(found)) missing.push(...found.map(String))
    }
    return missing
  }

  async list(graph: GraphKey): Promise<readonly ListedHash[]> {
    const { times } = this.#options.keysOf(graph)
    const most = String(MAX_LISTED)
    const found = await this.#connection.ask((client) => client.eval(LIST_PACKED, 1, times, most))
    const pairs = Array.isArray(found) ? found.map(String) : []
    return pairs.flatMap((sha256, index) =>
      index % 2 === 0 ? [{ sha256, storedAt: Number(pairs[index + 1] ?? 0) }] : [],
    )
  }

  async delete(graph: GraphKey, sha256: string): Promise<void> {
    checkHash(sha256)
    const { value, times } = this.#options.keysOf(graph)
    await this.#connection.ask((client) => client.eval(DELETE_PACKED, 2, value(sha256), times, sha256))
  }

  /** Deletes a value only if it was neither stored nor renewed at `storedBefore` or later. */
  async deleteOld(graph: GraphKey, sha256: string, storedBefore: number): Promise<void> {
    checkHash(sha256)
    const { value, times } = this.#options.keysOf(graph)
    await this.#connection.ask((client) =>
      client.eval(DELETE_OLD_PACKED, 2, value(sha256), times, sha256, String(storedBefore)),
    )
  }

  /**
   * Reads a value in parts, so that neither the server nor the client's parser has to hold a large answer as
   * a whole. Never reads more than `size` bytes: the value may have been replaced since its size was asked
   * for, which its hash then shows.
   */
  async #readInParts(key: string, size: number): Promise<Uint8Array | null> {
    const bytes = new Uint8Array(size)
    for (let from = 0; from < size; from += PART_BYTES) {
      const to = Math.min(from + PART_BYTES, size) - 1
      const part = await this.#connection.ask((client) => orWrongType(client.getrangeBuffer(key, from, to)))
      if (part === null || part.length === 0) return null
      bytes.set(part, from)
      if (part.length <= to - from) return bytes.subarray(0, from + part.length)
    }
    return bytes
  }
}

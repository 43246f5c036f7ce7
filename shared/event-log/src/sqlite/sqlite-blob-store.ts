import { getWithRetries } from '../log/blob.ts'
import { BlobCorruptedError, BlobStoreUnavailableError } from '../log/errors.ts'
import type { BlobStore } from '../log/event-log.ts'
import type { BlobTable } from './protocol.ts'
import type { WorkerClient } from './worker-client.ts'

/**
 * Blobs as rows of one table of the embedded database. Hashing happens in the worker thread, away from the
 * event loop.
 */
export class SqliteBlobStore implements BlobStore {
  readonly #client: WorkerClient
  readonly #table: BlobTable
  #disposed = false

  constructor(client: WorkerClient, table: BlobTable) {
    this.#client = client
    this.#table = table
  }

  async put(bytes: Uint8Array): Promise<string> {
    this.#checkOpen()
    return this.#client.request('putBlob', { table: this.#table, bytes })
  }

  async putAll(blobs: readonly Uint8Array[]): Promise<readonly string[]> {
    this.#checkOpen()
    return this.#client.request('putBlobs', { table: this.#table, blobs })
  }

  async get(sha256: string): Promise<Uint8Array> {
    return getWithRetries(sha256, async () => {
      this.#checkOpen()
      const found = await this.#client.request('getBlob', { table: this.#table, sha256 })
      if (found === null) return null
      if (found.actual !== sha256) throw new BlobCorruptedError(sha256, `its bytes hash to ${found.actual}`)
      return found.bytes
    })
  }

  async has(sha256: string): Promise<boolean> {
    this.#checkOpen()
    return this.#client.request('hasBlob', { table: this.#table, sha256 })
  }

  async *list(): AsyncIterable<{
    readonly sha256: string
    readonly storedAt: number
    readonly size: number
  }> {
    let after = ''
    for (;;) {
      this.#checkOpen()
      const page = await this.#client.request('listBlobs', { table: this.#table, after })
      yield* page
      const end = page.at(-1)
      if (end === undefined) return
      after = end.sha256
    }
  }

  async delete(sha256: string, storedBefore?: number): Promise<boolean> {
    this.#checkOpen()
    return this.#client.request('deleteBlob', {
      table: this.#table,
      sha256,
      storedBefore: storedBefore ?? null,
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
  }

  #checkOpen(): void {
    if (this.#disposed) throw new BlobStoreUnavailableError('it was closed')
  }
}

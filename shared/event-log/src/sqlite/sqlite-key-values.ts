import type { KeyValue, KeyValueStore } from '../log/event-log.ts'
import type { WorkerClient } from './worker-client.ts'

/** Values as rows of a table of the embedded database. */
export class SqliteKeyValues implements KeyValueStore {
  readonly #client: WorkerClient

  constructor(client: WorkerClient) {
    this.#client = client
  }

  get(key: string): Promise<KeyValue | null> {
    return this.#client.request('getValue', { key })
  }

  set(key: string, bytes: Uint8Array, revision: number): Promise<boolean> {
    return this.#client.request('setValue', { key, bytes, revision })
  }

  keys(prefix: string): Promise<readonly string[]> {
    return this.#client.request('valueKeys', { prefix })
  }

  async delete(key: string): Promise<void> {
    await this.#client.request('deleteValue', { key })
  }
}

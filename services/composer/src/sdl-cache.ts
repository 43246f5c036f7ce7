/** SDL texts by hash. Publishing one of a hundred subgraphs needs the other ninety-nine as well. */
import type { BlobStore } from '@switchyard/event-log'

const CAPACITY_CHARACTERS = 64 * 1024 * 1024

export class SdlCache {
  readonly #blobs: BlobStore
  readonly #texts = new Map<string, string>()
  #size = 0

  constructor(blobs: BlobStore) {
    this.#blobs = blobs
  }

  async get(sha256: string): Promise<string> {
    const cached = this.#texts.get(sha256)
    if (cached !== undefined) {
      this.#texts.delete(sha256)
      this.#texts.set(sha256, cached)
      return cached
    }
    const text = new TextDecoder().decode(await this.#blobs.get(sha256))
    if (!this.#texts.has(sha256)) this.#add(sha256, text)
    return text
  }

  #add(sha256: string, text: string): void {
    this.#texts.set(sha256, text)
    this.#size += text.length
    for (const [oldest, { length }] of this.#texts) {
      if (this.#size <= CAPACITY_CHARACTERS) return
      this.#texts.delete(oldest)
      this.#size -= length
    }
  }
}

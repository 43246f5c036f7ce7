/**
 * SDL texts by hash, as UTF-8 in memory that threads share. Publishing one of a hundred subgraphs needs the
 * other ninety-nine as well, and the flags of a graph need them once more each.
 */
import type { BlobStore } from '@switchyard/event-log'

const CAPACITY_BYTES = 64 * 1024 * 1024

export class SdlCache {
  readonly #blobs: BlobStore
  readonly #texts = new Map<string, Uint8Array<SharedArrayBuffer>>()
  #size = 0

  constructor(blobs: BlobStore) {
    this.#blobs = blobs
  }

  async get(sha256: string): Promise<Uint8Array<SharedArrayBuffer>> {
    const cached = this.#texts.get(sha256)
    if (cached !== undefined) {
      this.#texts.delete(sha256)
      this.#texts.set(sha256, cached)
      return cached
    }
    const bytes = await this.#blobs.get(sha256)
    const text = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
    text.set(bytes)
    if (!this.#texts.has(sha256)) this.#add(sha256, text)
    return text
  }

  #add(sha256: string, text: Uint8Array<SharedArrayBuffer>): void {
    this.#texts.set(sha256, text)
    this.#size += text.byteLength
    for (const [oldest, { byteLength }] of this.#texts) {
      if (this.#size <= CAPACITY_BYTES) return
      this.#texts.delete(oldest)
      this.#size -= byteLength
    }
  }
}

/**
 * Automatic persisted queries: documents that clients have sent with their hash, so that from then on the
 * hash alone is enough.
 *
 * A client that sends many pushes out its own before those of others. Of one client the document goes first
 * that has been there longest, unless somebody has asked for it since it was its turn last.
 */
import { ownText, textSize } from '../memory/own-text.ts'
import type { DocumentKey } from '@switchyard/documents'

/** What each takes besides its text, at least: a client with many addresses cannot have many small ones. */
const PER_DOCUMENT = 1024

type Kept = {
  readonly key: DocumentKey
  readonly text: string
  readonly bytes: number
  readonly share: Share
  wasUsed: boolean
}

/** What counts for one client; the oldest document comes first. */
class Share {
  readonly client: string
  readonly documents = new Set<Kept>()
  bytes = 0

  constructor(client: string) {
    this.client = client
  }

  /** The next one to go; undefined: there is none besides `spared`. */
  next(spared: Kept): Kept | undefined {
    for (const kept of this.documents) {
      if (kept === spared) continue
      if (!kept.wasUsed) return kept
      // It comes again at the end of this loop.
      kept.wasUsed = false
      this.documents.delete(kept)
      this.documents.add(kept)
    }
    return undefined
  }
}

/** The documents of all clients, within a number of bytes, of which a single client gets a half. */
export class AutomaticDocuments {
  readonly #maxBytes: number
  readonly #byKey = new Map<DocumentKey, Kept>()
  readonly #shares = new Map<string, Share>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#byKey.size
  }

  /** Does not count as a use. */
  has(key: DocumentKey): boolean {
    return this.#byKey.has(key)
  }

  /** null: it was not sent yet, or had to make room. */
  get(key: DocumentKey): string | null {
    const kept = this.#byKey.get(key)
    if (kept === undefined) return null
    kept.wasUsed = true
    return kept.text
  }

  /** `key`: the SHA-256 of the text. `client`: whom it counts for. One that is too large is not kept. */
  add(key: DocumentKey, text: string, client: string): void {
    const bytes = textSize(text) + PER_DOCUMENT
    if (bytes > this.#maxBytes / 2 || this.#byKey.has(key)) return
    const share = this.#shares.get(client) ?? new Share(client)
    this.#shares.set(client, share)
    const kept = { key: ownText(key), text: ownText(text), bytes, share, wasUsed: false }
    this.#byKey.set(kept.key, kept)
    share.documents.add(kept)
    share.bytes += bytes
    this.#bytes += bytes
    while (share.bytes > this.#maxBytes / 2 && this.#dropOneOf(share, kept));
    while (this.#bytes > this.#maxBytes && this.#dropOneOf(this.#largest(kept), kept));
  }

  /** false: there is none besides `spared`. */
  #dropOneOf(share: Share, spared: Kept): boolean {
    const kept = share.next(spared)
    if (kept === undefined) return false
    this.#byKey.delete(kept.key)
    share.documents.delete(kept)
    share.bytes -= kept.bytes
    this.#bytes -= kept.bytes
    if (share.documents.size === 0) this.#shares.delete(share.client)
    return true
  }

  /** The share with most bytes besides those of `spared`. */
  #largest(spared: Kept): Share {
    let largest = spared.share
    let most = 0
    for (const share of this.#shares.values()) {
      const bytes = share === spared.share ? share.bytes - spared.bytes : share.bytes
      if (bytes > most) {
        largest = share
        most = bytes
      }
    }
    return largest
  }
}

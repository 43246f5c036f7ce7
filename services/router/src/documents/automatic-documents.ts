/**
 * Automatic persisted queries: documents that clients have sent with their hash, so that from then on the
 * hash alone is enough.
 *
 * Who sends a document pushes out only documents that nobody has asked for by their hash, or that were asked
 * for less than others: however many strangers send one each, what is used stays. A document that is asked
 * for moves from those that are *new* to those that are *used*, which have half of the memory. If that is
 * full, it must count for more than twice as much as the documents in whose place it comes, and these are new
 * again. Of new documents the one goes first that was sent or asked for longest ago.
 */
import { ownText, textSize } from '../memory/own-text.ts'
import type { DocumentKey } from '@switchyard/documents'
import { DocumentSegment } from './document-segment.ts'
import { DocumentUses } from './document-uses.ts'

/** What each takes besides its text, at least: a client with many addresses cannot have many small ones. */
const PER_DOCUMENT = 1024
/** So many times as much as the documents that make room for it must a document count for. */
const BETTER = 2
/** Of memory that is full, a client that has more than this part pushes out its own documents. */
const OWN_FIRST = 1 / 8
/** In so many minutes a document was used that is written where routers share documents. */
const USED_OFTEN = 2

type Kept = {
  readonly key: DocumentKey
  readonly text: string
  readonly bytes: number
  readonly client: string
  readonly uses: DocumentUses
  isUsed: boolean
  isShared: boolean
  /** In how many minutes it was used when it was offered to other routers last. */
  offeredAt: number
}

/** The documents of all clients, within a number of bytes, of which a single client gets a half. */
export class AutomaticDocuments {
  readonly #maxBytes: number
  readonly #now: () => number
  readonly #byKey = new Map<DocumentKey, Kept>()
  readonly #new = new DocumentSegment<Kept>()
  readonly #used = new DocumentSegment<Kept>()
  /** Counts what is sent and used: of new documents the least one goes. */
  #turn = 0

  /** `now`: monotonic milliseconds. */
  constructor(maxBytes: number, now: () => number = () => performance.now()) {
    this.#maxBytes = maxBytes
    this.#now = now
  }

  get bytes(): number {
    return this.#new.bytes + this.#used.bytes
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
    const isNewMinute = kept.uses.count(this.#now())
    if (kept.isUsed) {
      if (isNewMinute) this.#moveTo(this.#used, kept, kept.uses.rank)
    } else if (isNewMinute) this.#usedAgain(kept)
    // It counts for as much as when it was asked for last, and would find no place again.
    else this.#moveTo(this.#new, kept, this.#turn++)
    return kept.text
  }

  /**
   * `key`: the SHA-256 of the text. `client`: whom it counts for. `isShared`: other routers get it from where
   * documents are shared. One that is too large is not kept.
   */
  add(key: DocumentKey, text: string, client: string, isShared = false): void {
    const bytes = textSize(text) + PER_DOCUMENT
    if (bytes > this.#maxBytes / 2 || this.#byKey.has(key)) return
    const kept: Kept = {
      key: ownText(key),
      text: ownText(text),
      bytes,
      client,
      uses: new DocumentUses(),
      isUsed: false,
      isShared,
      offeredAt: 0,
    }
    this.#byKey.set(kept.key, kept)
    this.#new.add(kept, this.#turn++)
    while (this.#bytesOf(client) > this.#maxBytes / 2 && this.#dropOldest(client, kept));
    while (this.bytes > this.#maxBytes) {
      const isCrowding = this.#bytesOf(client) > this.#maxBytes * OWN_FIRST
      if (isCrowding && this.#dropOldest(client, kept)) continue
      if (!this.#dropOldest(null, kept)) break
    }
  }

  /**
   * Offers a document that is used again and again to other routers, if they do not have it yet, once in each
   * minute in which it is used. `share` says whether it is written for them.
   */
  offer(key: DocumentKey, share: (text: string, client: string) => boolean): void {
    const kept = this.#byKey.get(key)
    if (kept === undefined || kept.isShared) return
    const { minutes } = kept.uses
    if (minutes < USED_OFTEN || minutes === kept.offeredAt) return
    kept.offeredAt = minutes
    kept.isShared = share(kept.text, kept.client)
  }

  #bytesOf(client: string): number {
    return this.#new.bytesOf(client) + this.#used.bytesOf(client)
  }

  /** Moves a document of the segment within its order. */
  #moveTo(segment: DocumentSegment<Kept>, kept: Kept, rank: number): void {
    segment.remove(kept)
    segment.add(kept, rank)
  }

  /** Drops a new document, of one client or of all. False: there is none besides `spared`, the newest one. */
  #dropOldest(client: string | null, spared: Kept): boolean {
    const kept = this.#new.first(client)
    if (kept === null || kept === spared) return false
    this.#byKey.delete(kept.key)
    this.#new.remove(kept)
    return true
  }

  /** A new document is asked for. */
  #usedAgain(kept: Kept): void {
    const displaced = this.#displacedBy(kept)
    this.#new.remove(kept)
    if (displaced === null) return this.#new.add(kept, this.#turn++)
    kept.isUsed = true
    this.#used.add(kept, kept.uses.rank)
    for (const other of displaced) {
      other.isUsed = false
      this.#new.add(other, this.#turn++)
    }
  }

  /**
   * Takes those from the used documents in whose place the document comes: the least used ones, which are its
   * client's own where that has much already. null: none was taken, since together they count for too much.
   */
  #displacedBy({ client, bytes, uses }: Kept): readonly Kept[] | null {
    const most = this.#maxBytes / 2
    if (bytes > most / 2) return null
    const now = this.#now()
    const displaced: Kept[] = []
    let worth = 0
    for (;;) {
      const own = this.#used.bytesOf(client)
      const isOverShare = own + bytes > most / 2
      if (!isOverShare && this.#used.bytes + bytes <= most) return displaced
      const least = this.#used.first(isOverShare || own > this.#maxBytes * OWN_FIRST ? client : null)
      worth += least?.uses.at(now) ?? 0
      if (least === null || worth * BETTER >= uses.at(now)) break
      this.#used.remove(least)
      displaced.push(least)
    }
    for (const kept of displaced) this.#used.add(kept, kept.uses.rank)
    return null
  }
}

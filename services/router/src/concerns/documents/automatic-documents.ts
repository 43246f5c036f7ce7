/**
 * Automatic persisted queries: documents that clients have sent with their hash, so that from then on the
 * hash alone is enough.
 *
 * A client that sends a document can push out only documents that nobody has asked for by their hash, or that
 * were asked for less often: however many strangers send one each, the documents in use stay. A document that
 * is asked for moves from the *new* documents to the *used* ones, which have half of the memory. If that half
 * is full, the document must count for more than twice as much as the used documents that it displaces, and
 * these become new again. Among new documents, the one that was sent or asked for longest ago is dropped
 * first.
 */
import { ownText, textSize } from '../../memory/own-text.ts'
import type { DocumentKey } from '@switchyard/documents'
import { DocumentSegment } from './document-segment.ts'
import { DocumentUses } from './document-uses.ts'

/**
 * Bytes that each document counts for besides its text, at least, so that a client with many addresses cannot
 * have many small ones.
 */
const PER_DOCUMENT = 1024
/** Factor by which a document must count for more than the documents that it displaces. */
const BETTER = 2
/** Share of the memory above which a client pushes out its own documents when memory is full. */
const OWN_FIRST = 1 / 8
/**
 * Number of minutes in which a document must have been used before it is written where routers share
 * documents.
 */
const USED_OFTEN = 2

type Kept = {
  readonly key: DocumentKey
  readonly text: string
  readonly bytes: number
  readonly client: string
  readonly uses: DocumentUses
  isUsed: boolean
  isShared: boolean
  /** Number of minutes in which the document had been used when it was last offered to other routers. */
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

  /** Makes an empty memory. `now` returns monotonic milliseconds. */
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

  /** Returns the text, and counts a use. Null if the document was not sent yet, or was dropped. */
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
   * Adds a document. `key` is the SHA-256 of the text, and `client` the one that the document counts for.
   * `isShared` tells that other routers can get the document where documents are shared. A document that is
   * too large is not kept.
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

  /**
   * Drops the oldest new document, of one client or of all. False if there is none besides `spared`, the
   * newest.
   */
  #dropOldest(client: string | null, spared: Kept): boolean {
    const kept = this.#new.first(client)
    if (kept === null || kept === spared) return false
    this.#byKey.delete(kept.key)
    this.#new.remove(kept)
    return true
  }

  /** Moves a new document that is asked for to the used ones, if it counts for enough. */
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
   * Takes the documents that `kept` displaces from the used ones: those that count for least, which are its
   * client's own if the client has much already. Returns null, and takes none, if they count for too much
   * together.
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

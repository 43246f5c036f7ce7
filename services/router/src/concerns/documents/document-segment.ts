/** Documents of clients in the order in which they make room, with what each client has of them. */
import { LeastFirst } from './least-first.ts'

/** A document as a segment knows it. */
export type SegmentDocument = { readonly client: string; readonly bytes: number }

type Share<Document> = { readonly documents: LeastFirst<Document>; bytes: number }

/** Each document is in one segment at a time. */
export class DocumentSegment<Document extends SegmentDocument> {
  readonly #documents = new LeastFirst<Document>()
  readonly #shares = new Map<string, Share<Document>>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  bytesOf(client: string): number {
    return this.#shares.get(client)?.bytes ?? 0
  }

  /** The document with the least rank, of all or of one client. */
  first(client: string | null): Document | null {
    const documents = client === null ? this.#documents : this.#shares.get(client)?.documents
    return documents?.first ?? null
  }

  add(document: Document, rank: number): void {
    const { client, bytes } = document
    const share = this.#shares.get(client) ?? { documents: new LeastFirst<Document>(), bytes: 0 }
    this.#shares.set(client, share)
    share.documents.add(document, rank)
    share.bytes += bytes
    this.#documents.add(document, rank)
    this.#bytes += bytes
  }

  /** A document that is in this segment. */
  remove(document: Document): void {
    const { client, bytes } = document
    const share = this.#shares.get(client)
    if (share === undefined) return
    share.documents.remove(document)
    share.bytes -= bytes
    if (share.documents.size === 0) this.#shares.delete(client)
    this.#documents.remove(document)
    this.#bytes -= bytes
  }
}

/** The bytes that are held for one request until it is answered. */
import type { ByteShares, HeldBytes, ByteHolder } from '../clients/byte-shares.ts'

/** Bytes that a request may hold without being counted, since the number of requests is limited anyway. */
const COUNTED_FROM = 8 * 1024

/** Counts what one request holds, and tells it to the share of its client. */
export class RequestSize implements Disposable {
  readonly #shares: ByteShares
  readonly #client: string
  readonly #holder: ByteHolder
  /** Bytes of its body and of what subgraphs answered for it. */
  #received = 0
  /** Bytes of what is being printed of its answer. */
  #printed = 0
  #held: HeldBytes | null = null
  #over = false

  /** `holder` may have to give way whenever more bytes are held. */
  constructor(shares: ByteShares, client: string, holder: ByteHolder) {
    this.#shares = shares
    this.#client = client
    this.#holder = holder
  }

  /** So many bytes more are held for it, or fewer. */
  received(bytes: number): void {
    this.#received += bytes
    this.#count()
  }

  /**
   * So many bytes of its answer are printed, which are not sent yet. They only count where they are more than
   * it is made of.
   */
  printed(bytes: number): void {
    this.#printed = bytes
    this.#count()
  }

  #count(): void {
    const bytes = Math.max(this.#received, this.#printed)
    if (this.#over || (this.#held === null && bytes < COUNTED_FROM)) return
    this.#held ??= this.#shares.open(this.#client, this.#holder)
    this.#held.set(bytes)
  }

  /** Nothing is held for it any more, nor will be. */
  [Symbol.dispose](): void {
    this.#over = true
    this.#held?.[Symbol.dispose]()
  }
}

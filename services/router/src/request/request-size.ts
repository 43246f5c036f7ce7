/** The bytes that are held for one request until it is answered. */
import type { ByteShares, HeldBytes, ByteHolder } from '../fairness/byte-shares.ts'

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
  /** Lasts until nothing is held any more. Null if there is nothing but bytes. */
  #resource: Disposable | null = null
  #over = false

  /** `holder` may have to give way whenever more bytes are held. */
  constructor(shares: ByteShares, client: string, holder: ByteHolder) {
    this.#shares = shares
    this.#client = client
    this.#holder = holder
  }

  /** Counts more or fewer bytes that are held for the request. */
  received(bytes: number): void {
    this.#received += bytes
    this.#count()
  }

  /**
   * Counts bytes of the answer that are printed and not sent yet. They count only as far as they exceed the
   * bytes that the answer was made of.
   */
  printed(bytes: number): void {
    this.#printed = bytes
    this.#count()
  }

  /** Disposes a resource as soon as nothing is held for the request any more. */
  holds(resource: Disposable): void {
    if (this.#over) resource[Symbol.dispose]()
    else this.#resource = resource
  }

  #count(): void {
    const bytes = Math.max(this.#received, this.#printed)
    if (this.#over || (this.#held === null && bytes < COUNTED_FROM)) return
    this.#held ??= this.#shares.open(this.#client, this.#holder)
    this.#held.set(bytes)
  }

  /** Counts nothing for the request any more. */
  [Symbol.dispose](): void {
    this.#over = true
    this.#held?.[Symbol.dispose]()
    const resource = this.#resource
    this.#resource = null
    resource?.[Symbol.dispose]()
  }
}

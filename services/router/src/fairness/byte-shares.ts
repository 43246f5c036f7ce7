/**
 * Limits the bytes that the process holds for its clients, such as answers that clients do not read, and
 * decides which holder gives way.
 *
 * Beyond a limit, the client that holds most bytes gives way: of its holders that hold at least its average,
 * the one that has held longest is told to let go. So a small answer that is read slowly never gives way
 * before a large one. A single holder is never told to let go, or else an answer larger than the limit could
 * never be sent; at most the limit and one holder more are held.
 */
export interface ByteHolder {
  /** Called at most once. The holder has to let go of everything; its bytes are not counted any more. */
  giveWay(): void
}

/** Bytes that may be held for one client, and for all clients together. */
export type ByteLimits = { readonly perClient: number; readonly total: number }

/** Bytes that a holder had to give up, and the client that they were held for. */
type GivenUpBytes = { readonly client: string; readonly bytes: number }

/** Counts the bytes that are held for clients, and makes holders give way beyond the limits. */
export class ByteShares {
  #limits: ByteLimits
  readonly #onLoss: (loss: GivenUpBytes) => void
  readonly #shares = new Map<string, ClientBytes>()
  #bytes = 0
  #holders = 0

  /** `onLoss` is called for each holder that has to give way. */
  constructor(limits: ByteLimits, onLoss: (loss: GivenUpBytes) => void) {
    this.#limits = limits
    this.#onLoss = onLoss
  }

  /** Changes the limits. Holders give way by these limits when more bytes are held from now on. */
  changeLimits(limits: ByteLimits): void {
    this.#limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The number of holders that hold something. */
  get holders(): number {
    return this.#holders
  }

  bytesOf(client: string): number {
    return this.#shares.get(client)?.bytes ?? 0
  }

  /** Opens an account for one holder, with 0 bytes. */
  open(client: string, holder: ByteHolder): HeldBytes {
    return new HeldBytes(holder, client, this.#change)
  }

  readonly #change = (held: HeldBytes, bytes: number): void => this.#set(held, bytes)

  #set(held: HeldBytes, bytes: number): void {
    const { client } = held
    const share = this.#shares.get(client) ?? new ClientBytes()
    if (held.bytes === 0) {
      if (share.held.size === 0) this.#shares.set(client, share)
      share.held.add(held)
      this.#holders++
    }
    const more = bytes - held.bytes
    held.bytes = bytes
    share.bytes += more
    this.#bytes += more
    if (bytes === 0) this.#forget(held, share)
    else if (more > 0) this.#keepLimits(share)
  }

  #forget(held: HeldBytes, share: ClientBytes): void {
    share.held.delete(held)
    this.#holders--
    if (share.held.size === 0) this.#shares.delete(held.client)
  }

  #keepLimits(changed: ClientBytes): void {
    while (changed.bytes > this.#limits.perClient && changed.held.size > 1) this.#take(changed)
    while (this.#bytes > this.#limits.total && this.#holders > 1) this.#take(this.#largest())
  }

  /**
   * Returns the client that holds most bytes. It is searched for only beyond the limit, and then it gives up
   * at least its average.
   */
  #largest(): ClientBytes {
    let largest = new ClientBytes()
    for (const share of this.#shares.values()) if (share.bytes > largest.bytes) largest = share
    return largest
  }

  #take(share: ClientBytes): void {
    const loser = share.longest()
    const loss = { client: loser.client, bytes: loser.bytes }
    this.#set(loser, 0)
    this.#onLoss(loss)
    loser.holder.giveWay()
  }
}

/** The account of one holder. */
export class HeldBytes implements Disposable {
  readonly holder: ByteHolder
  readonly client: string
  /** The bytes of this holder. Only `set` and ByteShares may change them. */
  bytes = 0
  readonly #change: (held: HeldBytes, bytes: number) => void

  constructor(holder: ByteHolder, client: string, change: (held: HeldBytes, bytes: number) => void) {
    this.holder = holder
    this.client = client
    this.#change = change
  }

  /** Sets the bytes of this holder. A larger number may make a holder give way, perhaps this one. */
  set(bytes: number): void {
    if (bytes !== this.bytes) this.#change(this, bytes)
  }

  [Symbol.dispose](): void {
    this.set(0)
  }
}

/** The bytes of one client, with its holders. */
class ClientBytes {
  bytes = 0
  /** Holders in the order in which they began to hold bytes. */
  readonly held = new Set<HeldBytes>()

  /** Returns the holder that has to give way. May only be called if bytes are held. */
  longest(): HeldBytes {
    const average = this.bytes / this.held.size
    for (const held of this.held) if (held.bytes >= average) return held
    throw new Error('Nobody holds as much as the average.')
  }
}

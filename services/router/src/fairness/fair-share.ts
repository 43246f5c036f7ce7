/**
 * Shares something scarce among clients. When too many items are held, the client that holds most gives up
 * the one that it has held longest: nobody who holds little, or holds it for a short time, is kept out by
 * others.
 *
 * The time of each operation is independent of how many items are held and by how many clients.
 */
import { type LinkedNode, LinkedList } from './linked-list.ts'

interface HeldItem<Item> extends LinkedNode<HeldItem<Item>> {
  readonly item: Item
  readonly holder: ClientItems<Item>
}

/** A client that holds items. */
interface ClientItems<Item> extends LinkedNode<ClientItems<Item>> {
  readonly client: string
  /** Items in the order in which they were added. */
  readonly items: LinkedList<HeldItem<Item>>
}

/** The items that clients hold. The client with most of them can be made to give one up. */
export class FairShare<Item> {
  readonly #held = new Map<Item, HeldItem<Item>>()
  readonly #holders = new Map<string, ClientItems<Item>>()
  /** Clients by the number of items that each of them holds. */
  readonly #ranks: LinkedList<ClientItems<Item>>[] = [new LinkedList()]
  #highest = 0

  get size(): number {
    return this.#held.size
  }

  sizeOf(client: string): number {
    return this.#holders.get(client)?.items.size ?? 0
  }

  /** Adds an item. An item that is held already keeps its position. */
  add(client: string, item: Item): void {
    if (this.#held.has(item)) return
    let holder = this.#holders.get(client)
    if (holder === undefined) {
      holder = { client, items: new LinkedList(), before: null, after: null }
      this.#holders.set(client, holder)
    }
    const held: HeldItem<Item> = { item, holder, before: null, after: null }
    this.#held.set(item, held)
    holder.items.append(held)
    this.#moveUp(holder)
  }

  /** Removes an item. Returns false if it was not held any more. */
  delete(item: Item): boolean {
    const held = this.#held.get(item)
    if (held === undefined) return false
    const { holder } = held
    this.#held.delete(item)
    holder.items.remove(held)
    if (holder.items.size === 0) this.#holders.delete(holder.client)
    this.#moveDown(holder)
    return true
  }

  /** Takes the oldest item of this client. Returns null if it holds none. */
  takeOldestOf(client: string): Item | null {
    const oldest = this.#holders.get(client)?.items.first ?? null
    if (oldest === null) return null
    this.delete(oldest.item)
    return oldest.item
  }

  /** The client that holds most items. Null if nobody holds any. */
  get largest(): string | null {
    return this.#highest === 0 ? null : (this.#ranks[this.#highest]?.first?.client ?? null)
  }

  /** Takes the oldest item of the client that holds most. Returns null if nobody holds any. */
  takeFromLargest(): Item | null {
    const { largest } = this
    return largest === null ? null : this.takeOldestOf(largest)
  }

  /** Moves up a client that holds one item more than before. */
  #moveUp(holder: ClientItems<Item>): void {
    const rank = holder.items.size
    if (rank > 1) this.#ranks[rank - 1]?.remove(holder)
    const holders = (this.#ranks[rank] ??= new LinkedList())
    holders.append(holder)
    if (rank > this.#highest) this.#highest = rank
  }

  /** Moves down a client that holds one item less than before. */
  #moveDown(holder: ClientItems<Item>): void {
    const rank = holder.items.size
    const above = this.#ranks[rank + 1]
    above?.remove(holder)
    if (rank > 0) this.#ranks[rank]?.append(holder)
    if (above?.size === 0 && this.#highest === rank + 1) this.#highest = rank
  }
}

/**
 * What clients hold of something that there is not enough of. When too much is held, the client that holds most gives up
 * what it has held longest: nobody who holds little, or holds it for a short time, is kept out by others.
 *
 * All work is independent of how much is held and by how many clients.
 */
import { OrderedSet } from '../clients/ordered-set.ts'

export class FairShare<Item> {
  readonly #held = new Map<string, OrderedSet<Item>>()
  /** Clients by how much each of them holds. */
  readonly #ranks: OrderedSet<string>[] = [new OrderedSet()]
  #highest = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(client: string): number {
    return this.#held.get(client)?.size ?? 0
  }

  add(client: string, item: Item): void {
    const items = this.#held.get(client) ?? new OrderedSet<Item>()
    if (items.has(item)) return
    this.#held.set(client, items)
    items.add(item)
    this.#size++
    this.#moveUp(client, items.size)
  }

  /** false: it was not held any more. */
  delete(client: string, item: Item): boolean {
    const items = this.#held.get(client)
    if (items === undefined || !items.delete(item)) return false
    if (items.size === 0) this.#held.delete(client)
    this.#size--
    this.#moveDown(client, items.size)
    return true
  }

  /** Of this client; null: it holds nothing. */
  takeOldestOf(client: string): Item | null {
    const oldest = this.#held.get(client)?.first ?? null
    if (oldest === null) return null
    this.delete(client, oldest)
    return oldest
  }

  /** The client that holds most; null: nobody holds anything. */
  get largest(): string | null {
    return this.#highest === 0 ? null : (this.#ranks[this.#highest]?.first ?? null)
  }

  /** Of the client that holds most; null: nobody holds anything. */
  takeFromLargest(): Item | null {
    const { largest } = this
    return largest === null ? null : this.takeOldestOf(largest)
  }

  #moveUp(client: string, rank: number): void {
    this.#ranks[rank - 1]?.delete(client)
    const clients = (this.#ranks[rank] ??= new OrderedSet())
    clients.add(client)
    if (rank > this.#highest) this.#highest = rank
  }

  #moveDown(client: string, rank: number): void {
    const above = this.#ranks[rank + 1]
    above?.delete(client)
    if (rank > 0) this.#ranks[rank]?.add(client)
    if (above?.size === 0 && this.#highest === rank + 1) this.#highest = rank
  }
}

/**
 * A line in which clients take turns, and not their items: addresses take turns, and within the turn of an
 * address the names that clients call themselves. Nobody waits for more than their own items and, for each of
 * these, one of every other client, whatever others put into the line.
 *
 * One item may wait for several clients. The time of each operation is independent of how many items and
 * clients wait.
 */
import { FairShare } from './fair-share.ts'
import type { Client } from './client.ts'
import { OrderedSet } from './ordered-set.ts'

/** An item, and one of the clients that wait for it: the one in whose turn it is taken. */
export type WaitingItem<Item> = { readonly item: Item; readonly client: Client }

/** The items that wait for one address. */
class AddressLine<Item> {
  readonly waiting = new FairShare<WaitingItem<Item>>()
  /** Names in the order of their turns. */
  readonly turns = new OrderedSet<string>()
}

/** A line of items in which clients take turns. */
export class FairLine<Item> {
  /** Waiting items by address. */
  readonly #waiting = new FairShare<WaitingItem<Item>>()
  readonly #addresses = new Map<string, AddressLine<Item>>()
  /** Addresses in the order of their turns. */
  readonly #turns = new OrderedSet<string>()
  readonly #byItem = new Map<Item, Map<string, WaitingItem<Item>>>()

  /** The number of turns that are waited for: an item has one for each client that waits for it. */
  get size(): number {
    return this.#waiting.size
  }

  /** Returns whether a client waits for the item. */
  has(item: Item): boolean {
    return this.#byItem.has(item)
  }

  /** Lets one more client wait for this item. */
  add(client: Client, item: Item): void {
    const { address, name } = client
    const waiting = this.#byItem.get(item) ?? new Map<string, WaitingItem<Item>>()
    const key = keyOf(client)
    if (waiting.has(key)) return
    const turn = { item, client }
    this.#byItem.set(item, waiting.set(key, turn))
    const line = this.#addresses.get(address) ?? new AddressLine()
    this.#addresses.set(address, line)
    line.waiting.add(name, turn)
    line.turns.add(name)
    this.#waiting.add(address, turn)
    this.#turns.add(address)
  }

  /**
   * Takes the next item in turn. Its client then waits behind all others. The item goes on waiting for its
   * other clients until `withdraw`. Returns null if nothing waits.
   */
  take(): WaitingItem<Item> | null {
    const address = this.#turns.first
    const line = address === null ? undefined : this.#addresses.get(address)
    const name = line?.turns.first
    if (address === null || line === undefined || name == null) return null
    const turn = line.waiting.takeOldestOf(name)
    if (turn === null) return null
    this.#turns.delete(address)
    line.turns.delete(name)
    this.#leave(turn)
    if (line.waiting.sizeOf(name) > 0) line.turns.add(name)
    if (line.waiting.size > 0) this.#turns.add(address)
    return turn
  }

  /**
   * Takes the item that has waited longest, of the name that has most items, at the address that has most
   * items. Returns null if nothing waits.
   */
  takeFromLargest(): WaitingItem<Item> | null {
    const address = this.#waiting.largest
    const line = address === null ? undefined : this.#addresses.get(address)
    const turn = line?.waiting.takeFromLargest() ?? null
    if (turn !== null) this.#leave(turn)
    return turn
  }

  /** Removes an item that no client waits for any more. */
  withdraw(item: Item): void {
    for (const turn of this.#byItem.get(item)?.values() ?? []) this.#leave(turn)
  }

  #leave(turn: WaitingItem<Item>): void {
    const { item, client } = turn
    const { address, name } = client
    this.#waiting.delete(turn)
    const line = this.#addresses.get(address)
    if (line !== undefined) {
      line.waiting.delete(turn)
      if (line.waiting.sizeOf(name) === 0) line.turns.delete(name)
      if (line.waiting.size === 0) {
        this.#addresses.delete(address)
        this.#turns.delete(address)
      }
    }
    const waiting = this.#byItem.get(item)
    waiting?.delete(keyOf(client))
    if (waiting?.size === 0) this.#byItem.delete(item)
  }
}

/** Returns the key of a client. It is unique because no address holds a space. */
function keyOf({ address, name }: Client): string {
  return `${address} ${name}`
}

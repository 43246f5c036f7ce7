/**
 * A line in which clients wait, and not their items: addresses take turns, and within the turn of an address
 * the names that clients call themselves. Nobody waits for more than their own items and, for each of these,
 * one of every other client, whatever others put into the line.
 *
 * One item may wait for several clients. All work is independent of how much waits, and for how many clients.
 */
import { FairShare } from './fair-share.ts'
import type { Client } from './client.ts'
import { OrderedSet } from './ordered-set.ts'

/** An item and the client in whose turn it was taken. */
export type Turn<Item> = { readonly item: Item; readonly client: Client }

/** A client's wish for an item. */
type Place<Item> = Turn<Item>

/** What waits for one address. */
class AddressLine<Item> {
  readonly places = new FairShare<Place<Item>>()
  /** Names in the order of their turns. */
  readonly turns = new OrderedSet<string>()
}

/** A line of items in which clients take turns. */
export class FairLine<Item> {
  /** By address. */
  readonly #places = new FairShare<Place<Item>>()
  readonly #addresses = new Map<string, AddressLine<Item>>()
  /** Addresses in the order of their turns. */
  readonly #turns = new OrderedSet<string>()
  readonly #byItem = new Map<Item, Map<string, Place<Item>>>()

  /** Places, of which an item has one for each client that waits for it. */
  get size(): number {
    return this.#places.size
  }

  /** Whether somebody waits for it. */
  has(item: Item): boolean {
    return this.#byItem.has(item)
  }

  /** One more client waits for this item. */
  add(client: Client, item: Item): void {
    const { address, name } = client
    const places = this.#byItem.get(item) ?? new Map<string, Place<Item>>()
    const key = keyOf(client)
    if (places.has(key)) return
    const place = { item, client }
    this.#byItem.set(item, places.set(key, place))
    const line = this.#addresses.get(address) ?? new AddressLine()
    this.#addresses.set(address, line)
    line.places.add(name, place)
    line.turns.add(name)
    this.#places.add(address, place)
    this.#turns.add(address)
  }

  /**
   * Whose turn it is, who then waits behind all others. The item goes on waiting for its other clients until
   * `withdraw`.
   */
  take(): Turn<Item> | null {
    const address = this.#turns.first
    const line = address === null ? undefined : this.#addresses.get(address)
    const name = line?.turns.first
    if (address === null || line === undefined || name == null) return null
    const place = line.places.takeOldestOf(name)
    if (place === null) return null
    this.#turns.delete(address)
    line.turns.delete(name)
    this.#leave(place)
    if (line.places.sizeOf(name) > 0) line.turns.add(name)
    if (line.places.size > 0) this.#turns.add(address)
    return place
  }

  /**
   * From the address that has most in the line, and of its names the one that has most: what has waited
   * longest.
   */
  takeFromLargest(): Turn<Item> | null {
    const address = this.#places.largest
    const line = address === null ? undefined : this.#addresses.get(address)
    const place = line?.places.takeFromLargest() ?? null
    if (place !== null) this.#leave(place)
    return place
  }

  /** Nobody waits for it any more. */
  withdraw(item: Item): void {
    for (const place of this.#byItem.get(item)?.values() ?? []) this.#leave(place)
  }

  #leave(place: Place<Item>): void {
    const { item, client } = place
    const { address, name } = client
    this.#places.delete(place)
    const line = this.#addresses.get(address)
    if (line !== undefined) {
      line.places.delete(place)
      if (line.places.sizeOf(name) === 0) line.turns.delete(name)
      if (line.places.size === 0) {
        this.#addresses.delete(address)
        this.#turns.delete(address)
      }
    }
    const places = this.#byItem.get(item)
    places?.delete(keyOf(client))
    if (places?.size === 0) this.#byItem.delete(item)
  }
}

/** No address holds a space. */
function keyOf({ address, name }: Client): string {
  return `${address} ${name}`
}

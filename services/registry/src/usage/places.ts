/** Items by their place in a list, each once. A full list takes no more. */
const MOST_ITEMS = 10_000

export class Places<Item> {
  readonly items: Item[] = []
  readonly #places = new Map<string, number>()

  /** Returns the place of an item. Undefined if there is no room for it. */
  of(item: Item): number | undefined {
    const key = JSON.stringify(item)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    if (this.items.length >= MOST_ITEMS) return undefined
    this.#places.set(key, this.items.length)
    return this.items.push(item) - 1
  }

  find(isIt: (item: Item) => boolean): number | undefined {
    const place = this.items.findIndex(isIt)
    return place === -1 ? undefined : place
  }
}

/** Items of which the one with the least rank is found at once: a binary heap that can let go of any item. */

type Ranked<Item> = { readonly item: Item; readonly rank: number }

/** Adding and removing take O(log n). Each item is in it once at most. */
export class LeastFirst<Item> {
  readonly #heap: Ranked<Item>[] = []
  readonly #indexes = new Map<Item, number>()

  get first(): Item | null {
    return this.#heap[0]?.item ?? null
  }

  get size(): number {
    return this.#heap.length
  }

  /** An item that is not in it. */
  add(item: Item, rank: number): void {
    this.#rise({ item, rank }, this.#heap.length)
  }

  /** An item that is not in it changes nothing. */
  remove(item: Item): void {
    const index = this.#indexes.get(item)
    if (index === undefined) return
    this.#indexes.delete(item)
    const last = this.#heap.pop()
    if (last === undefined || last.item === item) return
    const parent = this.#heap[parentOf(index)]
    if (index > 0 && parent !== undefined && parent.rank > last.rank) this.#rise(last, index)
    else this.#sink(last, index)
  }

  #put(ranked: Ranked<Item>, index: number): void {
    this.#heap[index] = ranked
    this.#indexes.set(ranked.item, index)
  }

  /** Puts it at the index, or nearer to the first one if its rank is less than those on the way. */
  #rise(ranked: Ranked<Item>, index: number): void {
    let free = index
    while (free > 0) {
      const parent = this.#heap[parentOf(free)]
      if (parent === undefined || parent.rank <= ranked.rank) break
      this.#put(parent, free)
      free = parentOf(free)
    }
    this.#put(ranked, free)
  }

  /** Puts it at the index, or further from the first one if those on the way have less. */
  #sink(ranked: Ranked<Item>, index: number): void {
    let free = index
    for (;;) {
      const left = 2 * free + 1
      const [one, other] = [this.#heap[left], this.#heap[left + 1]]
      const isOther = one !== undefined && other !== undefined && other.rank < one.rank
      const child = isOther ? other : one
      if (child === undefined || child.rank >= ranked.rank) break
      this.#put(child, free)
      free = isOther ? left + 1 : left
    }
    this.#put(ranked, free)
  }
}

function parentOf(index: number): number {
  return Math.floor((index - 1) / 2)
}

/**
 * Indexes of lists by name. Lists that have the same names in the same places share one, so that fifty graphs
 * which differ in a few types have one table of names.
 */
export class SharedIndex<Item, Value> {
  readonly #make: (items: readonly Item[]) => ReadonlyMap<string, Value>
  readonly #indexes = new WeakMap<readonly Item[], ReadonlyMap<string, Value>>()

  /** `make` must look at nothing but the names of the items, and their places. */
  constructor(make: (items: readonly Item[]) => ReadonlyMap<string, Value>) {
    this.#make = make
  }

  /** The index of a list, which must not change any more. */
  of(items: readonly Item[]): ReadonlyMap<string, Value> {
    let index = this.#indexes.get(items)
    if (index === undefined) {
      index = this.#make(items)
      this.#indexes.set(items, index)
    }
    return index
  }

  /** Says that a list has the same names in the same places as another one. */
  share(known: readonly Item[], items: readonly Item[]): void {
    this.#indexes.set(items, this.of(known))
  }
}

/** A list whose items are made when they are read: making all types of a large schema at once takes long. */
export class LazyList {
  readonly length: number
  readonly #names: readonly string[]
  readonly #make: (name: string) => unknown

  constructor(names: readonly string[], make: (name: string) => unknown) {
    this.length = names.length
    this.#names = names
    this.#make = make
  }

  at(index: number): unknown {
    const name = this.#names[index]
    return name === undefined ? undefined : this.#make(name)
  }
}

/** A list of introspection: an array, or one whose items are made when they are read. */
export type List = { readonly length: number; at(index: number): unknown }

export function isList(value: unknown): value is List {
  return Array.isArray(value) || value instanceof LazyList
}

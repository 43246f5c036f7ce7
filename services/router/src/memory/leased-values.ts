/** Keeps values for as long as a composition in memory needs them. */

/** Keeps a value until it is disposed. */
export type Lease<Value> = Disposable & { readonly value: Value }

/** Values by key. Each value ends with its last lease. */
export class LeasedValues<Value> {
  readonly #held = new Map<string, { readonly value: Value; holders: number }>()
  readonly #ended: (value: Value) => void

  /** `ended` is called with each value whose last lease was disposed. */
  constructor(ended: (value: Value) => void = () => {}) {
    this.#ended = ended
  }

  /** Leases the value for a key. `open` makes it if there is none. */
  lease(key: string, open: () => Value): Lease<Value> {
    const held = this.#held.get(key) ?? { value: open(), holders: 0 }
    this.#held.set(key, held)
    held.holders++
    let released = false
    return {
      value: held.value,
      [Symbol.dispose]: () => {
        if (released) return
        released = true
        if (--held.holders > 0 || this.#held.get(key) !== held) return
        this.#held.delete(key)
        this.#ended(held.value)
      },
    }
  }
  /**
   * Returns all values, and forgets them. The caller has to end them, because disposing their leases no
   * longer does.
   */
  takeAll(): readonly Value[] {
    const values = [...this.#held.values()].map(({ value }) => value)
    this.#held.clear()
    return values
  }
}

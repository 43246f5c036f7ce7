/**
 * A set in the order in which its values were added. Unlike in a `Set`, finding the first value takes the same time however many
 * values before it were deleted: a `Set` that is used as a line passes their empty places again each time.
 */
type Link<Value> = { readonly value: Value; before: Link<Value> | null; after: Link<Value> | null }

export class OrderedSet<Value> {
  readonly #links = new Map<Value, Link<Value>>()
  #first: Link<Value> | null = null
  #last: Link<Value> | null = null

  get size(): number {
    return this.#links.size
  }

  /** The one added first; null: there is none. */
  get first(): Value | null {
    return this.#first === null ? null : this.#first.value
  }

  has(value: Value): boolean {
    return this.#links.has(value)
  }

  /** One that is there already stays in its place. */
  add(value: Value): void {
    if (this.#links.has(value)) return
    const link: Link<Value> = { value, before: this.#last, after: null }
    if (this.#last === null) this.#first = link
    else this.#last.after = link
    this.#last = link
    this.#links.set(value, link)
  }

  /** false: it was not there. */
  delete(value: Value): boolean {
    const link = this.#links.get(value)
    if (link === undefined) return false
    this.#links.delete(value)
    if (link.before === null) this.#first = link.after
    else link.before.after = link.after
    if (link.after === null) this.#last = link.before
    else link.after.before = link.before
    return true
  }
}

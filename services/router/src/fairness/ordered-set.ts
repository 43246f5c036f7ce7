/**
 * A set in the order in which its values were added. Unlike in a `Set`, finding the first value takes the
 * same time however many values before it were deleted: a `Set` that is used as a line passes their empty
 * entries again each time.
 */
import { type LinkedNode, LinkedList } from './linked-list.ts'

interface SetNode<Value> extends LinkedNode<SetNode<Value>> {
  readonly value: Value
}

/** A set in the order of insertion, whose first value is found in constant time. */
export class OrderedSet<Value> {
  readonly #members = new Map<Value, SetNode<Value>>()
  readonly #order = new LinkedList<SetNode<Value>>()

  get size(): number {
    return this.#members.size
  }

  /** The value that was added first. Null if the set is empty. */
  get first(): Value | null {
    return this.#order.first === null ? null : this.#order.first.value
  }

  has(value: Value): boolean {
    return this.#members.has(value)
  }

  /** Adds a value. A value that is in the set already keeps its position. */
  add(value: Value): void {
    if (this.#members.has(value)) return
    const member: SetNode<Value> = { value, before: null, after: null }
    this.#order.append(member)
    this.#members.set(value, member)
  }

  /** Removes a value. Returns false if it was not in the set. */
  delete(value: Value): boolean {
    const member = this.#members.get(value)
    if (member === undefined) return false
    this.#members.delete(value)
    this.#order.remove(member)
    return true
  }
}

/**
 * A list whose members are its links, so that one is put at its end or taken out of it without looking for
 * it.
 */

/** In one list at a time. */
export type LinkedNode<Node> = { before: Node | null; after: Node | null }

/** A list from which a member is taken out in constant time. */
export class LinkedList<Node extends LinkedNode<Node>> {
  #first: Node | null = null
  #last: Node | null = null
  #size = 0

  get first(): Node | null {
    return this.#first
  }

  get size(): number {
    return this.#size
  }

  /** One that is in no list. */
  append(node: Node): void {
    const last = this.#last
    node.before = last
    if (last === null) this.#first = node
    else last.after = node
    this.#last = node
    this.#size++
  }

  /** One that is in this list. */
  remove(node: Node): void {
    const { before, after } = node
    if (before === null) this.#first = after
    else before.after = after
    if (after === null) this.#last = before
    else after.before = before
    node.before = null
    node.after = null
    this.#size--
  }
}

/**
 * A list whose members are its links, so that a member can be added at the end or removed without being
 * searched for.
 */

/** A member, which can be in one list at a time. */
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

  /** Adds a node that is in no list. */
  append(node: Node): void {
    const last = this.#last
    node.before = last
    if (last === null) this.#first = node
    else last.after = node
    this.#last = node
    this.#size++
  }

  /** Removes a node that is in this list. */
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

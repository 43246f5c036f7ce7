/**
 * Finds the occurrences that show an entity: the inverse of a link table. Made once per table, since a
 * response may hold an error about each of very many entities.
 */
export class LinkedOccurrences {
  /** The first occurrence of each entity, or -1, indexed by entity. */
  readonly #first: Int32Array
  /** The next occurrence of the same entity, or -1, indexed by occurrence. */
  readonly #next: Int32Array

  /** `link` holds the index of each occurrence's entity, or -1. */
  constructor(link: Int32Array) {
    let entities = 0
    for (const entity of link) if (entity >= entities) entities = entity + 1
    this.#first = new Int32Array(entities).fill(-1)
    this.#next = new Int32Array(link.length).fill(-1)
    for (let occurrence = link.length - 1; occurrence >= 0; occurrence--) {
      const entity = link[occurrence] ?? -1
      if (entity < 0) continue
      this.#next[occurrence] = this.#first[entity] ?? -1
      this.#first[entity] = occurrence
    }
  }

  /** The occurrences of an entity, ascending. */
  *of(entity: number): Generator<number, void> {
    for (let at = this.#first[entity] ?? -1; at >= 0; at = this.#next[at] ?? -1) yield at
  }
}

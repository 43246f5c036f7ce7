import type { PositionId } from '../../ids.ts'
import type { Occurrences } from '../joining/occurrences.ts'

type Delivered = {
  /** true for each occurrence that the client has. A list is a third of the cost of a Set of their numbers. */
  readonly has: boolean[]
  count: number
}

/**
 * Which objects the client has by now. An object that a subgraph sent may be missing from the response, because a null
 * took its place; nothing is delivered into it, and nothing is fetched for it. Only objects are noted that a later part
 * may have to do with.
 */
export class DeliveredObjects {
  readonly #occurrences: Occurrences
  readonly #positions = new Map<PositionId, Delivered>()
  /** Positions of which the client has the list, be it empty or full of nulls. */
  readonly #listed = new Set<PositionId>()

  constructor(occurrences: Occurrences) {
    this.#occurrences = occurrences
  }

  has(position: PositionId, occurrence: number): boolean {
    return this.#positions.get(position)?.has[occurrence] === true
  }

  /** Whether the client has every object that subgraphs sent for a position. */
  hasAll(position: PositionId): boolean {
    return (this.#positions.get(position)?.count ?? 0) === this.#occurrences.count(position)
  }

  /** The highest number of an object at a position that the client has, and one. */
  end(position: PositionId): number {
    return this.#positions.get(position)?.has.length ?? 0
  }

  hasList(position: PositionId): boolean {
    return this.#listed.has(position)
  }

  add(position: PositionId, occurrence: number): void {
    let delivered = this.#positions.get(position)
    if (delivered === undefined) this.#positions.set(position, (delivered = { has: [], count: 0 }))
    if (delivered.has[occurrence] === true) return
    delivered.has[occurrence] = true
    delivered.count++
  }

  addList(position: PositionId): void {
    this.#listed.add(position)
  }
}

/**
 * Limits how many calls of one subgraph are made at a time. A call that finds no slot waits in a line in
 * which clients take turns; when too many wait, the client that has most calls in the line loses one.
 */
import type { ClientLookup } from '../../clients/client.ts'
import { FairLine } from '../../clients/fair-line.ts'

/** How many calls may be in progress, and how many may wait. */
export type PlaceLimits = { readonly maxCalls: number; readonly maxWaiting: number }

/** Receives the events of calls that had to wait. */
export type PlaceWatcher = {
  /** A call began after it had waited for so many milliseconds. */
  waited(milliseconds: number): void
  refused(): void
}

/** One call that waits for a slot, or has one. */
export class CallPlace {
  readonly #places: CallPlaces
  readonly asker: ClientLookup
  /** The time when the call came, by `performance.now()`. */
  readonly came = performance.now()
  #begin: (() => void) | null = null
  #refuse: (() => void) | null = null
  /** The time when the call got its slot, by `performance.now()`. Null if it waits. */
  #began: number | null = null

  constructor(places: CallPlaces, asker: ClientLookup) {
    this.#places = places
    this.asker = asker
  }

  /** Calls `begin` at once or when there is a slot, or `refuse` when too many calls wait. */
  enter(begin: () => void, refuse: () => void): void {
    this.#begin = begin
    this.#refuse = refuse
    this.#places.enter(this)
  }

  /** Milliseconds for which the call has had its slot, or 0 if it waits. */
  get heldFor(): number {
    return this.#began === null ? 0 : performance.now() - this.#began
  }

  begin(): void {
    this.#began = performance.now()
    this.#begin?.()
  }

  refuse(): void {
    this.#refuse?.()
  }

  /** Frees the slot, because the call is over, whether it was made or not. */
  leave(): void {
    this.#places.leave(this)
  }
}

/** The slots of one subgraph. */
export class CallPlaces {
  readonly #limits: PlaceLimits
  readonly #watcher: PlaceWatcher
  readonly #taken = new Set<CallPlace>()
  readonly #line = new FairLine<CallPlace>()
  #isAdvancing = false

  constructor(limits: PlaceLimits, watcher: PlaceWatcher) {
    this.#limits = limits
    this.#watcher = watcher
  }

  /** The number of calls that wait. */
  get waiting(): number {
    return this.#line.size
  }

  /** Makes the entry of a call that is about to be made. It has no slot yet. */
  placeFor(asker: ClientLookup): CallPlace {
    return new CallPlace(this, asker)
  }

  /**
   * Takes a slot for a call that does not wait for one. Returns null if none is free, as is the case whenever
   * others wait.
   */
  takeFree(asker: ClientLookup): CallPlace | null {
    if (this.#taken.size >= this.#limits.maxCalls) return null
    const place = new CallPlace(this, asker)
    this.#taken.add(place)
    return place
  }

  enter(place: CallPlace): void {
    if (this.#taken.size < this.#limits.maxCalls) {
      this.#taken.add(place)
      return place.begin()
    }
    this.#line.add(place.asker(), place)
    if (this.#line.size <= this.#limits.maxWaiting) return
    const given = this.#line.takeFromLargest()
    if (given === null) return
    this.#watcher.refused()
    given.item.refuse()
  }

  leave(place: CallPlace): void {
    this.#line.withdraw(place)
    if (this.#taken.delete(place)) this.#advance()
  }

  /**
   * Gives free slots to calls that wait. A call may be over as soon as it begins; then the next one begins in
   * this loop, and not in a nested call.
   */
  #advance(): void {
    if (this.#isAdvancing) return
    this.#isAdvancing = true
    try {
      while (this.#taken.size < this.#limits.maxCalls) {
        const turn = this.#line.take()
        if (turn === null) return
        this.#taken.add(turn.item)
        this.#watcher.waited(performance.now() - turn.item.came)
        turn.item.begin()
      }
    } finally {
      this.#isAdvancing = false
    }
  }
}

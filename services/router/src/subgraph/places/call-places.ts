/**
 * How many calls of one subgraph are made at a time. What does not find a place waits in a line in which
 * clients take turns; when too much waits, the client that has most in the line gives one up.
 */
import type { ClientLookup } from '../../clients/client.ts'
import { FairLine } from '../../clients/fair-line.ts'

/** How much may be in progress and wait. */
export type PlaceLimits = { readonly maxCalls: number; readonly maxWaiting: number }

/** Told what became of calls that had to wait. */
export type PlaceWatcher = {
  /** So many milliseconds. */
  waited(milliseconds: number): void
  refused(): void
}

/** One call, on its way to a place. */
export class CallPlace {
  readonly #places: CallPlaces
  readonly asker: ClientLookup
  /** By `performance.now()`. */
  readonly came = performance.now()
  #begin: (() => void) | null = null
  #refuse: (() => void) | null = null
  /** By `performance.now()`; null: it waits. */
  #began: number | null = null

  constructor(places: CallPlaces, asker: ClientLookup) {
    this.#places = places
    this.asker = asker
  }

  /** Calls `begin` at once or when there is a place, or `refuse` when too many wait. */
  enter(begin: () => void, refuse: () => void): void {
    this.#begin = begin
    this.#refuse = refuse
    this.#places.enter(this)
  }

  /** How long it has had a place, in milliseconds; 0: it waits. */
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

  /** The call is over, whether it was made or not. */
  leave(): void {
    this.#places.leave(this)
  }
}

/** The places of one subgraph. */
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

  /** Calls that wait. */
  get waiting(): number {
    return this.#line.size
  }

  /** For a call that is about to be made. */
  placeFor(asker: ClientLookup): CallPlace {
    return new CallPlace(this, asker)
  }

  /** Of a call that does not wait for a place. null: there is none, as whenever others wait for one. */
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

  /** A call may be over as soon as it begins: then the next one begins here, and not from within. */
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

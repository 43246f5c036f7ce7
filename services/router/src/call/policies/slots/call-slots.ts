/**
 * Limits how many calls of one subgraph are made at a time, and how many are begun in a second. A call that
 * finds no slot, or comes too soon, waits in a line in which clients take turns; when too many wait, the
 * client that has most calls in the line loses one.
 */
import type { ClientLookup } from '../../../fairness/client.ts'
import { FairLine } from '../../../fairness/fair-line.ts'
import { CallRate } from './call-rate.ts'

/** The limits of the calls of one subgraph. */
export type SlotLimits = {
  /** Calls that may be in progress, or Infinity. */
  readonly maxCalls: number
  /** Calls that may wait. */
  readonly maxWaiting: number
  /** Calls that may be begun in a second. Null if any number may. */
  readonly maxRate: number | null
}

/** Receives the events of calls that had to wait. */
export type SlotWatcher = {
  /** A call began after it had waited for so many milliseconds. */
  waited(milliseconds: number): void
  refused(): void
}

/** One call that waits for a slot, or has one. */
export class CallSlot {
  readonly #slots: CallSlots
  readonly lookUpClient: ClientLookup
  /** The time when the call came, by `performance.now()`. */
  readonly came = performance.now()
  #begin: (() => void) | null = null
  #refuse: (() => void) | null = null
  /** The time when the call got its slot, by `performance.now()`. Null if it waits. */
  #began: number | null = null

  constructor(slots: CallSlots, lookUpClient: ClientLookup) {
    this.#slots = slots
    this.lookUpClient = lookUpClient
  }

  /** Calls `begin` at once or when there is a slot, or `refuse` when too many calls wait. */
  enter(begin: () => void, refuse: () => void): void {
    this.#begin = begin
    this.#refuse = refuse
    this.#slots.enter(this)
  }

  /** Milliseconds for which the call has had its slot, or 0 if it waits. */
  get heldFor(): number {
    return this.#began === null ? 0 : performance.now() - this.#began
  }

  begin(): void {
    this.#began = performance.now()
    this.#begin?.()
  }

  /** Counts a retry of the call, which keeps its slot. */
  retried(): void {
    this.#slots.retried()
  }

  refuse(): void {
    this.#refuse?.()
  }

  /** Frees the slot, because the call is over, whether it was made or not. */
  leave(): void {
    this.#slots.leave(this)
  }
}

/** The slots of one subgraph. */
export class CallSlots {
  readonly #limits: SlotLimits
  readonly #watcher: SlotWatcher
  readonly #taken = new Set<CallSlot>()
  readonly #line = new FairLine<CallSlot>()
  /** Null if any number of calls may be begun in a second. */
  readonly #rate: CallRate | null
  /** Runs until the rate allows the next call of the line. Null if none waits for that. */
  #timer: NodeJS.Timeout | null = null
  #isAdvancing = false

  constructor(limits: SlotLimits, watcher: SlotWatcher) {
    this.#limits = limits
    this.#watcher = watcher
    this.#rate = limits.maxRate === null ? null : new CallRate(limits.maxRate)
  }

  /** The number of calls that wait. */
  get waiting(): number {
    return this.#line.size
  }

  /** Makes the entry of a call that is about to be made. It has no slot yet. */
  slotFor(lookUpClient: ClientLookup): CallSlot {
    return new CallSlot(this, lookUpClient)
  }

  /**
   * Takes a slot for a call that does not wait for one. Returns null if none is free, as is the case whenever
   * others wait.
   */
  takeFree(lookUpClient: ClientLookup): CallSlot | null {
    if (!this.#isFree) return null
    const slot = new CallSlot(this, lookUpClient)
    this.#take(slot)
    return slot
  }

  enter(slot: CallSlot): void {
    if (this.#isFree) {
      this.#take(slot)
      return slot.begin()
    }
    this.#line.add(slot.lookUpClient(), slot)
    this.#awaitRate()
    if (this.#line.size <= this.#limits.maxWaiting) return
    const given = this.#line.takeFromLargest()
    if (given === null) return
    this.#watcher.refused()
    given.item.refuse()
  }

  leave(slot: CallSlot): void {
    this.#line.withdraw(slot)
    if (this.#taken.delete(slot)) this.#advance()
  }

  retried(): void {
    this.#rate?.take()
  }

  /** True if a call that comes now need not wait. A line waits wherever a slot or the rate is used up. */
  get #isFree(): boolean {
    return this.#taken.size < this.#limits.maxCalls && this.#line.size === 0 && (this.#rate?.wait ?? 0) === 0
  }

  #take(slot: CallSlot): void {
    this.#taken.add(slot)
    this.#rate?.take()
  }

  /** Makes the line go on when the rate allows the next call, if a slot is free for it. */
  #awaitRate(): void {
    if (this.#rate === null || this.#timer !== null || this.#line.size === 0) return
    if (this.#taken.size >= this.#limits.maxCalls) return
    const next = () => {
      this.#timer = null
      this.#advance()
    }
    this.#timer = setTimeout(next, Math.ceil(this.#rate.wait)).unref()
  }

  /**
   * Gives free slots to calls that wait. A call may be over as soon as it begins; then the next one begins in
   * this loop, and not in a nested call.
   */
  #advance(): void {
    if (this.#isAdvancing) return
    this.#isAdvancing = true
    try {
      while (this.#taken.size < this.#limits.maxCalls && (this.#rate?.wait ?? 0) === 0) {
        const turn = this.#line.take()
        if (turn === null) return
        this.#take(turn.item)
        this.#watcher.waited(performance.now() - turn.item.came)
        turn.item.begin()
      }
    } finally {
      this.#isAdvancing = false
      this.#awaitRate()
    }
  }
}

/**
 * Does the long work of all requests, one slice in each turn of the event loop: many long requests at once
 * make each other slower, but nobody else. Clients take turns, so that one with much work slows another one
 * down no more than one with little work does.
 */
import type { Turns } from '@switchyard/engine'
import type { Client, ClientLookup } from './client.ts'
import { FairLine } from './fair-line.ts'

/** Turns of the event loop, for work of one client. */
export interface ClientTurns extends Turns {
  /**
   * Begins work that cannot be interrupted, such as the start of a request. One piece of such work is done in
   * each turn, or else one client could fill a turn with many requests that arrive together. Resolves when
   * the work may begin, or returns undefined if it may begin at once because this turn is free.
   */
  begin(): Promise<void> | undefined
}

/** Hands out turns of the event loop. In each of them one client does one slice of its long work. */
export class TurnQueue {
  readonly #line = new FairLine<() => void>()
  readonly #schedule: (next: () => void) => void
  /** True if this turn is taken, or the next one is waited for. */
  #isScheduled = false

  /** `schedule` calls back in the next turn. */
  constructor(schedule: (next: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  /** The number of slices that wait for a turn. */
  get waiting(): number {
    return this.#line.size
  }

  /** Returns the turns for work of one client. */
  of(lookUpClient: ClientLookup): ClientTurns {
    return new TurnsOfClient(lookUpClient, this)
  }

  /** Resolves in a turn for this client. */
  next(client: Client): Promise<void> {
    return new Promise((resolve) => {
      this.#line.add(client, resolve)
      this.#callBack()
    })
  }

  /** Takes this turn. Returns false if it is taken already. */
  take(): boolean {
    if (this.#isScheduled) return false
    this.#callBack()
    return true
  }

  #callBack(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isScheduled = false
    const next = this.#line.take()
    if (next === null) return
    // Work that begins later in this turn has to wait for the next one, after the work that waits already.
    this.#callBack()
    next.item()
  }
}

class TurnsOfClient implements ClientTurns {
  readonly #lookUpClient: ClientLookup
  readonly #queue: TurnQueue

  constructor(lookUpClient: ClientLookup, queue: TurnQueue) {
    this.#lookUpClient = lookUpClient
    this.#queue = queue
  }

  next(): Promise<void> {
    return this.#queue.next(this.#lookUpClient())
  }

  begin(): Promise<void> | undefined {
    return this.#queue.take() ? undefined : this.next()
  }
}

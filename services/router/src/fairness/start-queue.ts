/**
 * Makes new requests wait while much is in progress, so that requests in progress come first: in each turn of
 * the event loop one request begins, and everything that has arrived for the others is handled in the same
 * turn.
 *
 * No answer is later because of that: a processor that works on fifty requests at once finishes them all
 * late. But fifty requests that are in progress at once hold the answers of their subgraphs at once, and V8
 * copies everything that is held, again and again, to make room for new objects. With few requests in
 * progress most answers are gone before that (docs/adr/0054-requests-in-progress-come-first.md).
 *
 * A turn in which nothing else is to be done is over at once, so slow subgraphs keep nobody waiting.
 */
import type { ClientLookup } from './client.ts'
import { TurnQueue } from './turn-queue.ts'

/**
 * Bytes of subgraphs' answers that all requests in progress may hold before new ones wait: as many as V8
 * copies quickly.
 */
const MUCH_HELD = 1024 * 1024

/** Lets requests wait for the turn in which they begin. Clients take turns, too. */
export class StartQueue {
  readonly #turns: TurnQueue
  readonly #heldBytes: () => number

  /** `heldBytes` returns the bytes of subgraphs' answers that are held. No other work may use `turns`. */
  constructor(heldBytes: () => number, turns = new TurnQueue()) {
    this.#heldBytes = heldBytes
    this.#turns = turns
  }

  /** Resolves when the request may begin. Returns undefined if it may begin at once. */
  begin(lookUpClient: ClientLookup): Promise<void> | undefined {
    const isFirst = this.#turns.waiting === 0
    return isFirst && this.#heldBytes() < MUCH_HELD ? undefined : this.#turns.of(lookUpClient).begin()
  }
}

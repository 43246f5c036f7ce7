/**
 * Requests that begin while much is in progress. What is in progress comes first then: in each turn of the
 * event loop one request begins, and all that has arrived for the others is handled in the same turn.
 *
 * No answer is later for it: a processor that works on fifty requests at once finishes them all late. But
 * fifty requests that are in progress at once hold the answers of their subgraphs at once, and V8 copies all
 * that is held, again and again, to make room for new objects. With few in progress most answers are gone
 * before that (docs/adr/0054-requests-in-progress-come-first.md).
 *
 * A turn in which nothing else is to be done is over at once, so slow subgraphs keep nobody waiting.
 */
import type { ClientLookup } from './client.ts'
import { TurnQueue } from './turn-queue.ts'

/** Bytes of subgraphs' answers, of all requests in progress: what V8 copies quickly. */
const MUCH_HELD = 1024 * 1024

/** Requests wait here for the turn in which they begin. Clients take turns, too. */
export class StartQueue {
  readonly #turns: TurnQueue
  readonly #heldBytes: () => number

  /** `heldBytes`: of subgraphs' answers. `turns`: no other work takes turns of them. */
  constructor(heldBytes: () => number, turns = new TurnQueue()) {
    this.#heldBytes = heldBytes
    this.#turns = turns
  }

  /** Resolves when the request may begin. Undefined: at once. */
  begin(asker: ClientLookup): Promise<void> | undefined {
    const isFirst = this.#turns.waiting === 0
    return isFirst && this.#heldBytes() < MUCH_HELD ? undefined : this.#turns.of(asker).begin()
  }
}

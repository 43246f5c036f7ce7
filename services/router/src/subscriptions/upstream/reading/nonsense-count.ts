/** Counts the messages of one connection that are none of its protocol. */
import type { Nonsense, UpstreamEvents } from '../events.ts'

/** Messages that break the protocol, after which a connection is given up. */
export const MOST_NONSENSE = 100

/** The messages of one connection that were skipped. */
export class NonsenseCount {
  readonly #subgraph: string
  readonly #events: UpstreamEvents
  #count = 0

  constructor(subgraph: string, events: UpstreamEvents) {
    this.#subgraph = subgraph
    this.#events = events
  }

  /** Counts a message. Returns true once: when the connection should be given up. */
  isTooMuch(kind: Nonsense): boolean {
    this.#events.nonsense(this.#subgraph, kind)
    return ++this.#count === MOST_NONSENSE
  }
}

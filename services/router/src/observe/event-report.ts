/** Collects what there is to say about the events of one subscription, and says it to the observers. */
import type { EndedCall, RequestObserver } from './request-observer.ts'
import type { EventSourceFacts, RequestIds, SubscriptionSummary } from './request-summary.ts'

type Collected = { -readonly [Key in keyof SubscriptionSummary]: SubscriptionSummary[Key] }

/** The end of a subscription whose client has left. */
export const CLIENT_LEFT = 'client'

/** Keeps nothing of single events, since a subscription may have any number of them. */
export class EventReport implements Required<Pick<RequestObserver, 'callBegan' | 'callEnded' | 'defect'>> {
  readonly #observers: readonly RequestObserver[]
  readonly #summary: Collected = {
    began: performance.now(),
    source: null,
    events: 0,
    withErrors: 0,
    dropped: 0,
    end: CLIENT_LEFT,
  }

  /** `observers` are those of the request. */
  constructor(observers: readonly RequestObserver[]) {
    this.#observers = observers
  }

  get summary(): SubscriptionSummary {
    return this.#summary
  }

  /** Notes where the events come from. */
  comesFrom(source: EventSourceFacts | null): void {
    this.#summary.source = source
  }

  callBegan(subgraph: string): void {
    for (const observer of this.#observers) observer.callBegan?.(subgraph)
  }

  callEnded(call: EndedCall): void {
    for (const observer of this.#observers) observer.callEnded?.(call)
  }

  /** The router itself is at fault, in an event whose span has these ids. */
  defect(error: unknown, ids: RequestIds): void {
    for (const observer of this.#observers) observer.defect?.(error, ids)
  }

  /** A result with so many errors is sent. */
  sent(errors: number): void {
    this.#summary.events++
    if (errors > 0) this.#summary.withErrors++
  }

  /** So many events are dropped, since the client reads too slowly. */
  dropped(count: number): void {
    this.#summary.dropped += count
  }

  /** The subscription ends, for this code or because its source has ended (`complete`). */
  ended(end: string): void {
    this.#summary.end = end
  }
}

import type { FetchId } from '@switchyard/engine'
import type { BodySource } from '../../http/body-source.ts'
import type { CallInFlight } from './call-in-flight.ts'
import type { CallHandler, CallPool } from '../../transport/dispatch/call-pool.ts'

/** One call of a subgraph, as it is sent. */
export type CallToRecord = {
  readonly fetch: FetchId
  readonly origin: string
  readonly pool: CallPool
  readonly path: string
  readonly method: 'POST'
  /** Names and values alternately. */
  readonly headers: string[]
  readonly body: string | BodySource
  /** Returns the JSON to show in place of a body that comes in pieces. */
  readonly shown?: () => unknown
  readonly handler: CallHandler
  /** True if equal fetches may join the call. */
  readonly isShareable: boolean
  /** True if the call is a hedged attempt. */
  readonly isHedge: boolean
}

/** A fetch that waits for a call which another fetch began. */
export type JoinedFetch = {
  readonly fetch: FetchId
  readonly origin: string
  readonly path: string
  readonly method: 'POST'
  /** Names and values alternately: those that the fetch has in common with the call. */
  readonly headers: readonly string[]
  readonly call: CallInFlight
}

/** Makes the calls of a traced request, and records what is sent and received, and when. */
export interface CallRecorder {
  /**
   * False if calls of this request must neither be shared nor hedged. Whether an equal fetch is in flight, or
   * a call takes long, is chance, and this trace must not show it.
   */
  readonly mayShare: boolean
  /** The fetch waits for a slot of its subgraph. */
  waitsForSlot(fetch: FetchId): void
  /** The fetch has a slot, or waits for none any more. */
  waitsNoLonger(fetch: FetchId): void
  /** Makes a call. Throws what the pool throws. */
  dispatch(call: CallToRecord): void
  /**
   * The hedged attempt replaces the first one. `isFirstGivenUp` is true if the first one has not failed by
   * itself.
   */
  hedgeReplaces(fetch: FetchId, isFirstGivenUp: boolean): void
  /**
   * The hedged attempt is over without replacing the first one. `isGivenUp` is true if it has not failed by
   * itself.
   */
  hedgeEnded(fetch: FetchId, isGivenUp: boolean): void
  /** The fetch joined a call, so none is made for it. */
  fetchJoined(fetch: JoinedFetch): void
}

import type { FetchId } from '@switchyard/engine'
import type { Dispatcher } from 'undici'
import type { CallInFlight } from './call-in-flight.ts'
import type { CallPool } from './call-pool.ts'

/** One call of a subgraph, as it is sent. */
export type CallToRecord = {
  readonly fetch: FetchId
  readonly origin: string
  readonly pool: CallPool
  readonly path: string
  readonly method: 'POST'
  /** Names and values in turns. */
  readonly headers: string[]
  readonly body: string
  readonly handler: Dispatcher.DispatchHandler
  /** Whether equal fetches may join it. */
  readonly isShareable: boolean
  /** Made beside another one of the fetch that takes long. */
  readonly isHedge: boolean
}

/** A fetch that waits for a call which another one began. */
export type JoinedFetch = {
  readonly fetch: FetchId
  readonly origin: string
  readonly path: string
  readonly method: 'POST'
  /** Names and values in turns: those that it has in common with the call. */
  readonly headers: readonly string[]
  readonly call: CallInFlight
}

/** Makes the calls of a traced request, and writes down what is sent and received, and when. */
export interface CallRecorder {
  /**
   * false: whether an equal fetch is in flight, or a call takes long, is chance, and must not show in this
   * trace.
   */
  readonly mayShare: boolean
  /** The fetch waits for a place among the calls of its subgraph. */
  waitsForPlace(fetch: FetchId): void
  /** It has one, or waits for none any more. */
  waitsNoLonger(fetch: FetchId): void
  /** Makes a call. Throws what the pool throws. */
  dispatch(call: CallToRecord): void
  /**
   * The call beside the first one is what all else is about from now on. `isFirstGivenUp`: the first one has
   * not failed.
   */
  hedgeStays(fetch: FetchId, isFirstGivenUp: boolean): void
  /** The call beside the first one is over, unless it has stayed. `isGivenUp`: it has not failed. */
  hedgeEnded(fetch: FetchId, isGivenUp: boolean): void
  /** No call is made. */
  fetchJoined(fetch: JoinedFetch): void
}

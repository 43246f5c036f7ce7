import type { FetchId } from '@switchyard/engine'
import type { Dispatcher } from 'undici'
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
}

/** Makes the calls of a traced request, and writes down what is sent and received, and when. */
export interface CallRecorder {
  /** Makes a call. Throws what the pool throws. */
  dispatch(call: CallToRecord): void
}

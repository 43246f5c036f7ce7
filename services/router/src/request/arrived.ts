/** A request whose headers have arrived. */
import type { ClientLookup } from '../fairness/client.ts'
import type { ClientTurns } from '../fairness/turn-queue.ts'
import type { Exchange } from './exchange.ts'

/** The properties of every request, which the stages of the pipeline add to. */
export type Arrived = {
  readonly exchange: Exchange
  /** The query string, without the question mark. */
  readonly search: string
  /** Names the client that long work for the request counts for. */
  readonly lookUpClient: ClientLookup
  /** Turns of the event loop for long work of the client. */
  readonly turns: ClientTurns
}

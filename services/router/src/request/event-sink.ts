/** The way of the events of a subscription to its client, and requests that came over a WebSocket. */
import { IncomingMessage } from 'node:http'

/** Takes the events of one subscription, in the form of one protocol of clients. */
export interface EventSink {
  /** True if nothing can be sent any more. */
  readonly isOver: boolean
  /**
   * Sends an execution result as JSON (`{"data":…}`), as text or in pieces of UTF-8. Returns false if the
   * client does not keep up.
   */
  next(json: string | readonly Uint8Array[]): boolean
  /** Calls the listener once when the client keeps up again. */
  onceDrained(listener: () => void): void
  /** Shows that the connection is still in use. Absent where the protocol has signs of life of its own. */
  keepAlive?(): void
  /** Says that the source has ended. */
  complete(): void
  /** Ends for a reason that the client is told: a list of GraphQL errors as JSON. */
  fail(errorsJson: string): void
  /** Ends since the router drains: the client is to subscribe again at another router. */
  leave(): void
}

/** A request that is one operation of a WebSocket. Its response collects the answer of a query or mutation. */
export abstract class OperationOfSocket extends IncomingMessage {
  abstract readonly sink: EventSink
}

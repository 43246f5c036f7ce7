/** The way of a subscription's events to its client, whatever protocol the client speaks. */
import { type ClientRequest, VirtualRequest } from '../http/virtual-request.ts'
import type { PartFlow, PartStream } from './part-stream.ts'

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
  /** Ends the subscription because its source has ended. */
  complete(): void
  /** Ends the subscription for a reason that clients are told: a list of GraphQL errors as JSON. */
  fail(errorsJson: string): void
  /** Ends the subscription because the router drains: the client is to subscribe again at another router. */
  leave(): void
}

/**
 * A request that is one operation of a WebSocket. Its response collects the answer of a query or mutation.
 */
export abstract class OperationOfSocket extends VirtualRequest {
  /**
   * Takes the events if the operation is a subscription. Whoever reads this property answers by it alone, and
   * never by the response.
   */
  abstract readonly sink: EventSink
  /** Whether the client takes deferred fragments in parts. If not, its answer is in one piece. */
  abstract readonly takesParts: boolean
  /**
   * Begins an answer in parts. From its first part on it is the only answer: what the response collects is
   * not sent any more.
   */
  abstract partsFor(flow: PartFlow): PartStream
}

/** Whether an answer to the request is in one piece, although its operation may have active `@defer`. */
export function takesNoParts(request: ClientRequest): boolean {
  return request instanceof OperationOfSocket && !request.takesParts
}

/**
 * Writes events as parts of one answer, by the multipart subscription protocol 1.0
 * (https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol).
 */
import type { ClientResponse } from '../../http/client-response.ts'
import type { EventSink } from '../../request/event-sink.ts'
import { withoutBoundary } from '../../http/boundary.ts'
import { SUBSCRIPTION_SPEC } from './event-form.ts'

const MULTIPART_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': `multipart/mixed; boundary="graphql"; subscriptionSpec=${SUBSCRIPTION_SPEC}`,
  'Cache-Control': 'no-cache, no-store',
  // Proxies of the nginx family collect an answer unless they are told not to.
  'X-Accel-Buffering': 'no',
}

const PART = '\r\nContent-Type: application/json\r\n\r\n'
/** The boundary that ends a part goes out with it: clients take a part for complete when they see it. */
const BOUNDARY = '\r\n--graphql'
const LAST = '--\r\n'
const LEFT = JSON.stringify([{ message: 'This router is stopping.', extensions: { code: 'DRAINING' } }])

/** The events of one subscription. */
export class MultipartEvents implements EventSink {
  readonly #response: ClientResponse

  /** Sends the headers at once, so that the client knows that it has subscribed. */
  constructor(response: ClientResponse, headers: Readonly<Record<string, string | string[]>>) {
    this.#response = response
    response.writeHead(200, { ...headers, ...MULTIPART_HEADERS })
    response.write('--graphql')
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  /** Pieces have to be printed with `BOUNDARY_ESCAPE`. */
  next(json: string | readonly Uint8Array[]): boolean {
    if (typeof json === 'string')
      return this.#response.write(`${PART}{"payload":${withoutBoundary(json)}}${BOUNDARY}`)
    this.#response.write(`${PART}{"payload":`)
    // One of them may be what is too much for its client.
    for (const piece of json) if (!this.isOver) this.#response.write(piece)
    return this.isOver || this.#response.write(`}${BOUNDARY}`)
  }

  onceDrained(listener: () => void): void {
    this.#response.once('drain', listener)
  }

  /** Shows proxies and the client that the stream is still there. */
  keepAlive(): void {
    this.#response.write(`${PART}{}${BOUNDARY}`)
  }

  complete(): void {
    this.#response.end(LAST)
  }

  fail(errorsJson: string): void {
    this.#response.end(`${PART}{"payload":null,"errors":${withoutBoundary(errorsJson)}}${BOUNDARY}${LAST}`)
  }

  leave(): void {
    this.fail(LEFT)
  }
}

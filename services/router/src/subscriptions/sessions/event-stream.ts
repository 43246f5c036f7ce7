/**
 * Writes events as server-sent events, in the distinct connections mode of GraphQL over SSE
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md).
 */
import type { ClientResponse } from '../../http/client-response.ts'
import type { EventSink } from '../../request/event-sink.ts'
import { EVENT_STREAM } from './event-form.ts'

/** Headers of every event stream. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
  'Cache-Control': 'no-cache, no-store',
  // Proxies of the nginx family collect an answer unless they are told not to.
  'X-Accel-Buffering': 'no',
}

const NEXT = 'event: next\ndata: '
/** The data are empty, and there all the same: browsers pass on no event without data. */
const COMPLETE = 'event: complete\ndata: \n\n'
const END = '\n\n'
const COMMENT = ':\n\n'

/** Sends one result as an event stream that ends with it: the answer to a query, or to a refused request. */
export function sendAsEvents(
  response: ClientResponse,
  headers: Readonly<Record<string, string | string[]>>,
  json: string | readonly Uint8Array[],
): void {
  if (response.headersSent || response.destroyed) return
  const stream = new EventStream(response, headers)
  stream.next(json)
  stream.complete()
}

/** The events of one subscription. */
export class EventStream implements EventSink {
  readonly #response: ClientResponse

  /** Sends the headers at once, so that the client knows that it has subscribed. */
  constructor(response: ClientResponse, headers: Readonly<Record<string, string | string[]>>) {
    this.#response = response
    response.writeHead(200, { ...headers, ...EVENT_STREAM_HEADERS })
    response.flushHeaders()
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  /** JSON has no line breaks outside of its strings, and escapes those in them: it is one line of data. */
  next(json: string | readonly Uint8Array[]): boolean {
    if (typeof json === 'string') return this.#response.write(`${NEXT}${json}${END}`)
    this.#response.write(NEXT)
    // One of them may be what is too much for its client.
    for (const piece of json) if (!this.isOver) this.#response.write(piece)
    return this.isOver || this.#response.write(END)
  }

  onceDrained(listener: () => void): void {
    this.#response.once('drain', listener)
  }

  /** Shows proxies and the client that the stream is still there. */
  keepAlive(): void {
    this.#response.write(COMMENT)
  }

  complete(): void {
    this.#response.end(COMPLETE)
  }

  fail(errorsJson: string): void {
    this.#response.end(`${NEXT}{"errors":${errorsJson}}${END}${COMPLETE}`)
  }

  /** Breaks the stream off, without a word: clients then subscribe again. */
  leave(): void {
    this.#response.destroy()
  }
}

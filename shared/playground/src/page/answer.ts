/** The answer to the last operation, as far as the page has it. */
import { PartMerger, type StreamError, type StreamPart } from '@switchyard/incremental-delivery'
import type { Trace } from '@switchyard/request-trace'
import { isRecord } from '@switchyard/values'
import type { ReceivedEvents } from './event-log.ts'

/** One part of an answer as it came. An answer in one piece is one part. */
export type ReceivedPart = {
  /** Milliseconds since the request was sent. */
  readonly after: number
  readonly body: unknown
}

export type PlaygroundAnswer = {
  /** Status code of HTTP. Null if nobody answered. */
  readonly status: number | null
  /** The feature flag that answered, as the router tells it. Null for the base graph. */
  readonly flag: string | null
  readonly parts: readonly ReceivedPart[]
  /** The events, if the answer is that of a subscription. Null if it has parts. */
  readonly events: ReceivedEvents | null
  /** Whether more parts or events are to come. */
  readonly hasNext: boolean
  /** Why the answer ended before its last part, as a whole sentence. Null if it did not. */
  readonly failure: string | null
  readonly trace: Trace | null
  /** Whether the router says that it chose no composition for another user, though it was asked to. */
  readonly isStandInIgnored: boolean
}

/** The members of a GraphQL response, put together from all parts that have come. */
export type ShownResponse = {
  errors?: readonly StreamError[]
  data?: unknown
  extensions?: Readonly<Record<string, unknown>>
}

/**
 * Puts parts together. The trace of the request is kept apart from the other extensions: it has a page of its
 * own, and would push the requested data out of sight.
 */
export class AnswerReader {
  readonly #merger = new PartMerger()
  #extensions: Readonly<Record<string, unknown>> = {}
  #hasData = false
  trace: Trace | null = null

  /** The response after this part. Throws where an entry of the part has no place to go to. */
  add(part: StreamPart): ShownResponse {
    this.#merger.add(part)
    if ('data' in part) this.#hasData = true
    if (isRecord(part.extensions)) {
      const { trace, ...others } = part.extensions
      // Written by a router, whose traces have this type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      if (isRecord(trace)) this.trace = trace as unknown as Trace
      this.#extensions = { ...this.#extensions, ...others }
    }
    return {
      ...(this.#merger.errors.length > 0 ? { errors: [...this.#merger.errors] } : {}),
      ...(this.#hasData ? { data: this.#merger.data } : {}),
      ...(Object.keys(this.#extensions).length > 0 ? { extensions: this.#extensions } : {}),
    }
  }
}

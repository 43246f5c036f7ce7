/** The answer to the last operation, as far as the page has it. */
import type { StreamError, StreamPart } from '@switchyard/incremental-delivery'
import { type Answer, AnswerBuilder } from '@switchyard/operation-views'
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
  /** The parts, put together. Null if none has come. */
  readonly merged: Answer | null
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
  readonly #builder = new AnswerBuilder()
  #hasData = false

  /** The response after this part. Throws where an entry of the part has no place to go to. */
  add(part: StreamPart, after: number): ShownResponse {
    this.#builder.add(part, after)
    if ('data' in part) this.#hasData = true
    const { data, errors, extensions } = this.answer
    return {
      ...(errors.length > 0 ? { errors: [...errors] } : {}),
      ...(this.#hasData ? { data } : {}),
      ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
    }
  }

  /** All parts that have come, put together. */
  get answer(): Answer {
    return this.#builder.answer
  }

  get trace(): Trace | null {
    const { trace } = this.answer
    // Written by a router, whose traces have this type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return isRecord(trace) ? (trace as unknown as Trace) : null
  }
}

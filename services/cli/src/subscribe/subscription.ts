/** One subscription, as each protocol takes it, and the results that come of it. */
import { isRecord } from '@switchyard/values'
import type { Headers } from '../command/endpoint-options.ts'
import { SubscriptionFailed } from '../run/errors.ts'
import { parseExactJson } from './exact-json.ts'

/** Bytes that one event may have. */
export const MAX_EVENT_BYTES = 32 * 1024 * 1024

/** An operation as it is sent. */
export type SentOperation = {
  readonly query: string
  readonly operationName?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

export type Subscription = {
  readonly url: URL
  readonly operation: SentOperation
  readonly headers: Headers
  /** The payload of `connection_init`. Null if a WebSocket is opened without one. */
  readonly connectionInit: Readonly<Record<string, unknown>> | null
  readonly signal: AbortSignal
  /** Called when the server has accepted the request. It may still refuse the operation. */
  readonly opened: () => void
}

/** A result of GraphQL, as the server sent it. */
export type EventResult = Readonly<Record<string, unknown>>

/**
 * Subscribes once. The results end when the server completes them. Throws SubscriptionFailed and
 * SubscriptionLost. To return before the end closes the connection.
 */
export type Subscribe = (subscription: Subscription) => AsyncGenerator<EventResult, undefined>

/** The largest number of characters of nonsense that a message shows. */
const SHOWN = 200

/** Reads a result. Throws SubscriptionFailed if it is none. */
export function readResult(json: string): EventResult {
  return asResult(parseExactJson(json), () => json)
}

/** Takes a value for a result. Throws SubscriptionFailed if it is none; `textOf` is for the message. */
export function asResult(value: unknown, textOf: () => string): EventResult {
  if (isRecord(value)) return value
  const text = textOf()
  const shown = JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
  throw new SubscriptionFailed(`The server sent ${shown} as an event, which is no result of GraphQL.`)
}

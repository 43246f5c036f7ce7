/** The answer to a subscription over HTTP, up to where its events begin. */
import type { IncomingMessage } from 'node:http'
import { isRecord } from '@switchyard/values'
import { readAnswerBody, UnreadableAnswer } from '../registry/answer-body.ts'
import { RequestFailed, sendRequest } from '../registry/send-request.ts'
import { connectionFailureReason } from '../registry/transport.ts'
import { SubscriptionFailed, SubscriptionLost } from '../run/errors.ts'
import { parseExactJson } from './exact-json.ts'
import { refusedByAnswer } from './faults.ts'
import { type EventResult, MAX_EVENT_BYTES, type Subscription } from './subscription.ts'

const JSON_TYPES = 'application/graphql-response+json;q=0.9, application/json;q=0.8'

const NO_EVENTS = 'Is this the URL of a GraphQL server, and does it speak this --protocol?'

/** Milliseconds of silence after which the system looks whether the server is still there. */
const SILENCE = 10_000

/** Sends the operation. `eventType` is the media type of events that is asked for. */
export async function openAnswer(
  { url, headers, operation, signal }: Subscription,
  eventType: string,
): Promise<IncomingMessage> {
  try {
    const response = await sendRequest({
      method: 'POST',
      url,
      headers: {
        accept: `${eventType}, ${JSON_TYPES}`,
        ...headers,
        'content-type': 'application/json',
      },
      body: JSON.stringify(operation),
      signal,
    })
    response.socket.setKeepAlive(true, SILENCE)
    return response
  } catch (error) {
    const cause = error instanceof RequestFailed ? error.cause : error
    throw new SubscriptionLost(`${url.href} cannot be reached: ${connectionFailureReason(cause)}.`)
  }
}

/** The media type of an answer in lower case, with its parameters. */
export function typeOf({ headers }: IncomingMessage): string {
  return headers['content-type']?.trim().toLowerCase() ?? ''
}

/** The pieces of a body. Throws SubscriptionLost if it breaks off. */
export async function* piecesOf(response: IncomingMessage): AsyncGenerator<Buffer, undefined> {
  try {
    yield* response
  } catch (error) {
    throw new SubscriptionLost(`The connection broke: ${connectionFailureReason(error)}.`)
  }
  return undefined
}

/**
 * Reads an answer that has no events: that of a query or a mutation. Throws SubscriptionFailed and
 * SubscriptionLost if it is a refusal, or none of GraphQL.
 */
export async function readSingle(response: IncomingMessage): Promise<EventResult> {
  const { statusCode: status = 0, headers } = response
  const text = await readAnswerBody(response, MAX_EVENT_BYTES).catch((error: unknown) => {
    if (error instanceof UnreadableAnswer)
      throw new SubscriptionFailed(`The server answered ${status} with ${error.message}.`)
    throw new SubscriptionLost(`The connection broke: ${connectionFailureReason(error)}.`)
  })
  const body = parseExactJson(text)
  if (isRecord(body) && 'data' in body) return body
  throw refusedByAnswer(status, body, { location: headers.location, otherwise: NO_EVENTS })
}

/** The fault of a body that ended before the server said that the subscription is complete. */
export function endedEarly(): SubscriptionLost {
  return new SubscriptionLost('The answer ended before the subscription was complete.')
}

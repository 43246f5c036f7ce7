/** Decides in which form a client takes the events of a subscription over HTTP, by its `Accept` header. */
import { type MediaRange, parseAccept } from '../../http/media-ranges.ts'

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream'

/** The version of the multipart subscription protocol that this router writes. */
export const SUBSCRIPTION_SPEC = '1.0'

/** The forms of events over HTTP. */
export type EventForm = 'event-stream' | 'multipart'

/** Returns whether the header names the event stream. Wildcards do not: a client has to know what it gets. */
export function acceptsEventStream(accept: string | undefined): boolean {
  // The header of most requests is looked at without taking it apart.
  if (accept === undefined || !accept.toLowerCase().includes(EVENT_STREAM)) return false
  return parseAccept(accept).some(({ type, quality }) => type === EVENT_STREAM && quality > 0)
}

/** Returns the form, or null if the header names none that the router writes. */
export function eventFormOf(accept: string | undefined): EventForm | null {
  if (acceptsEventStream(accept)) return 'event-stream'
  const ranges = accept === undefined ? [] : parseAccept(accept)
  return ranges.some(isOurMultipart) ? 'multipart' : null
}

function isOurMultipart({ type, quality, parameters }: MediaRange): boolean {
  return type === 'multipart/mixed' && quality > 0 && parameters.get('subscriptionspec') === SUBSCRIPTION_SPEC
}

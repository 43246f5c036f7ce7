/**
 * Ids by which one request is found again: in its answer, in logs, in spans, and in what it causes elsewhere.
 */
import { randomUUID } from 'node:crypto'

export const REQUEST_ID_HEADER = 'x-request-id'

/** What goes into a log, a header or a search box as it is: no quotes, commas or white space. */
const USABLE = /^[A-Za-z0-9._~:/+=@-]{1,128}$/

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && USABLE.test(text)
}

/** The id that came with a request if it is one, otherwise a new one: a UUID. */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  return isRequestId(given) ? given : randomUUID()
}

/**
 * Ids by which one request is found again: in its answer, in logs, in spans, and in what it causes elsewhere.
 */
import { randomUUID } from 'node:crypto'

export const REQUEST_ID_HEADER = 'x-request-id'

/**
 * Texts that may go into a log, a header or a search box as they are: without quotes, commas or white space.
 */
const USABLE = /^[A-Za-z0-9._~:/+=@-]{1,128}$/

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && USABLE.test(text)
}

/** Returns the id that came with a request if it is usable, otherwise a new one: a UUID. */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  return isRequestId(given) ? given : randomUUID()
}

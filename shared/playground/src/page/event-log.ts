/** The events of the last subscription, as far as the page keeps them. */
import { isRecord } from '@switchyard/values'

/** Events that are kept; older ones leave the list. */
export const MOST_EVENTS = 100
/** Characters of one event that are kept. A browser lays out more of them slowly. */
const MOST_CHARACTERS = 10_000

export type ReceivedEvent = {
  /** Its place in the order of all events, from 1 on. */
  readonly number: number
  readonly at: Date
  /** The result as JSON, or its beginning. */
  readonly text: string
  readonly hasErrors: boolean
  /** Events that were dropped before this one, if the router says so. */
  readonly missed: number | 'unknown' | null
}

export type ReceivedEvents = {
  readonly count: number
  /** The newest events, the newest first. */
  readonly kept: readonly ReceivedEvent[]
  /** Why no more events come, as a whole sentence. Null while they do. */
  readonly ended: string | null
}

export const NO_EVENTS: ReceivedEvents = { count: 0, kept: [], ended: null }

/** Returns the list with these results as its newest events. */
export function withResults(
  { count, kept, ended }: ReceivedEvents,
  results: readonly unknown[],
  at: Date,
): ReceivedEvents {
  // What would leave the list at once is only counted.
  const newest = results.slice(-MOST_EVENTS)
  const before = count + results.length - newest.length
  const added = newest.map((result, index) => received(result, before + index + 1, at)).toReversed()
  return { count: count + results.length, kept: [...added, ...kept].slice(0, MOST_EVENTS), ended }
}

function received(result: unknown, number: number, at: Date): ReceivedEvent {
  const text = JSON.stringify(result, null, 2)
  const more = text.length - MOST_CHARACTERS
  return {
    number,
    at,
    text: more > 0 ? `${text.slice(0, MOST_CHARACTERS)}\n… ${more} more characters` : text,
    hasErrors: isRecord(result) && Array.isArray(result['errors']),
    missed: missedBefore(result),
  }
}

function missedBefore(result: unknown): number | 'unknown' | null {
  const extensions = isRecord(result) ? result['extensions'] : null
  const missed = isRecord(extensions) ? extensions['missed'] : null
  return typeof missed === 'number' || missed === 'unknown' ? missed : null
}

/** A sentence on events that are missing. */
export function missedSentence(missed: number | 'unknown'): string {
  if (missed === 'unknown')
    return 'Events before this one may be missing: the router had lost their source for a while.'
  return `${missed.toLocaleString('en')} ${missed === 1 ? 'event before this one was' : 'events before this one were'} dropped: they came faster than this page took them.`
}

/** Returns the reason why errors end a subscription, as a sentence. */
export function endedBy(errors: unknown): string {
  const [first]: unknown[] = Array.isArray(errors) ? errors : []
  const message =
    isRecord(first) && typeof first['message'] === 'string' ? first['message'] : 'no reason given'
  const extensions = isRecord(first) ? first['extensions'] : null
  const code =
    isRecord(extensions) && typeof extensions['code'] === 'string' ? ` (${extensions['code']})` : ''
  return `The router has ended the subscription: ${message}${code}`
}

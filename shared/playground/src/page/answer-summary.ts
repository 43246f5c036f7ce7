/** Says in one line who gave the answer to the last operation, and how much of it has come. */
import type { PlaygroundAnswer } from './answer.ts'
import type { ReceivedEvents } from './event-log.ts'

/** The status of a router that refuses a request before it chooses a composition for it. */
const UNAVAILABLE = 503

/**
 * Summarises an answer. `isSilent` means that the router does not answer now, so the summary is from before.
 */
export function summaryOf(answer: PlaygroundAnswer | null, isSilent: boolean): string {
  if (answer === null) return isSilent ? 'the router does not answer' : ''
  const text = answer.status === null ? 'no answer' : receivedSummary(answer, answer.status)
  return isSilent ? `${text} · the router does not answer now` : text
}

function receivedSummary(answer: PlaygroundAnswer, status: number): string {
  const { flag, parts, events, hasNext, failure } = answer
  if (events !== null) return `${status} · ${answeredBy(status, flag)} · ${eventsSummary(events, failure)}`
  const count = `${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`
  const when = `${Math.round(parts.at(-1)?.after ?? 0).toLocaleString('en')} ms`
  const rest = failure !== null ? ', then it ended too early' : hasNext ? ', more to come' : ''
  return `${status} · ${answeredBy(status, flag)}${forWhom(answer)} · ${count} in ${when}${rest}`
}

function eventsSummary({ count, ended }: ReceivedEvents, failure: string | null): string {
  const counted = `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`
  if (failure !== null) return `${counted}, then the connection broke`
  return ended === null ? `${counted}, more to come` : `${counted}, ended`
}

function answeredBy(status: number, flag: string | null): string {
  if (status === UNAVAILABLE) return 'answered by no composition'
  return `answered by ${flag === null ? 'base' : `flag ${flag}`}`
}

function forWhom({ trace, isStandInIgnored }: PlaygroundAnswer): string {
  if (isStandInIgnored) return ' for yourself: the router ignored the other user'
  if (trace?.stand_in === undefined) return ''
  return trace.stand_in.overruled === true ? ' for yourself, since you name a flag' : ', as for another user'
}

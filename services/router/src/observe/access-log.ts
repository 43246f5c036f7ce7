/** Logs one line for each request. */
import { FrequentLines, jsonString, type LineMembers, logEvent, type Logger } from '@switchyard/service-kit'
import { MAX_HASH, MAX_LOGGED } from './logged.ts'
import type { RequestObserver } from './request-observer.ts'
import {
  type ChosenComposition,
  flagNamedInVain,
  type RequestCost,
  type RequestSummary,
  type SubscriptionSummary,
} from './request-summary.ts'

/** A line of this event is made by hand, since there is one for each request. */
export const ANSWERED = logEvent('request.answered', {
  level: 'info',
  fields: ['method', 'path', 'status', 'milliseconds', 'trace_id', 'span_id', 'request_id'],
  says: 'A request is over: one line each (`access_log.enabled`). Lines have further fields where there is something to say. About the client: `client`, `clientVersion` ([as it calls itself](configuration.md#how-clients-say-who-they-are)), `tokenProvider` (by whose keys its [token](authentication.md) was verified). About the composition: `flagReason`, `flag`, `rollout` (the [rollout](audiences.md) that decided), `artifact`, `revision`, `requestedFlag`. About the operation: `operation`, `document` (the identifier by which the client [named it](persisted-documents.md)), `cost`, `actualCost`, `costExceeded` ([what it costs](costs.md)), `denied` (fields that it may not see). About the answer: `joined` (what was executed for another request answered it, too), `code`, `errors`, `waitedForPlan`, `parts`, `firstPart`, `aborted`, `stalled`. About a [subscription](subscriptions.md), at its end: `subscription` (complete, client, or the error code that the client was told), `lasted` (milliseconds, which follow those of the request), `events`, `eventsWithErrors`',
})

/** Logs each request when it has ended. */
export class AccessLog implements RequestObserver {
  readonly #lines: FrequentLines
  readonly #compositions = new CompositionMembers()

  constructor(logger: Logger) {
    this.#lines = new FrequentLines(logger)
  }

  ended(request: RequestSummary): void {
    if (this.#lines.isEnabled) this.#lines.info(this.#members(request), outcomeOf(request))
  }

  /**
   * Absent is what was not chosen, did not happen, or was not there. Of what a client sends, only names and
   * the path are logged.
   */
  #members(request: RequestSummary): LineMembers {
    const { composition, operation, code, waitedForPlan, denied, parts, firstPart, errors, span } = request
    const requestedFlag = flagNamedInVain(request)
    // The ids of traces and spans are hexadecimal.
    let members = `,"event":"${ANSWERED.name}","method":${jsonString(request.method)},"path":${jsonString(pathOf(request.url))},"status":${request.status},"milliseconds":${rounded(request.phases.whole)},"trace_id":"${span.traceId}","span_id":"${span.spanId}","request_id":${jsonString(request.requestId)}`
    if (request.clientName !== '') members += clientMembers(request)
    if (request.provider !== null) members += `,"tokenProvider":${jsonString(request.provider)}`
    if (composition !== null) members += this.#compositions.of(composition)
    if (requestedFlag !== null)
      members += `,"requestedFlag":${jsonString(requestedFlag.slice(0, MAX_LOGGED))}`
    if (operation !== null) members += `,"operation":${jsonString(operation.slice(0, MAX_LOGGED))}`
    if (request.cost !== null) members += costMembers(request.cost)
    if (request.document !== '') members += `,"document":${jsonString(request.document.slice(0, MAX_LOGGED))}`
    if (request.joined) members += ',"joined":true'
    if (code !== null) members += `,"code":${jsonString(code)}`
    if (waitedForPlan !== null) members += `,"waitedForPlan":${Math.round(waitedForPlan)}`
    if (denied !== 0) members += `,"denied":${denied}`
    if (firstPart !== null) members += `,"parts":${parts},"firstPart":${rounded(firstPart)}`
    if (errors !== 0) members += `,"errors":${errors}`
    if (request.subscription !== null) members += subscriptionMembers(request.subscription)
    if (request.aborted) members += ',"aborted":true'
    if (request.stalled !== null) members += ',"stalled":true'
    return members
  }
}

/**
 * Members of log lines that describe the composition. They are printed again only when another one answers.
 */
class CompositionMembers {
  #reason: ChosenComposition['reason'] = 'none'
  #flag: string | null = null
  #rollout: string | null = null
  #artifact = ''
  #revision = Number.NaN
  #members: LineMembers = ''

  of({ reason, flag, rollout, generation, config }: ChosenComposition): LineMembers {
    const { artifact } = generation
    const { revision } = config.version
    const isSame = artifact === this.#artifact && revision === this.#revision
    const isSameChoice = reason === this.#reason && flag === this.#flag && rollout === this.#rollout
    if (isSame && isSameChoice) return this.#members
    this.#reason = reason
    this.#flag = flag
    this.#rollout = rollout
    this.#artifact = artifact
    this.#revision = revision
    const name = flag === null ? 'null' : jsonString(flag)
    const by = rollout === null ? '' : `,"rollout":${jsonString(rollout)}`
    this.#members = `,"flagReason":"${reason}","flag":${name}${by},"artifact":${jsonString(artifact.slice(0, MAX_HASH))},"revision":${revision}`
    return this.#members
  }
}

function clientMembers({ clientName, clientVersion }: RequestSummary): LineMembers {
  const version = clientVersion === '' ? '' : `,"clientVersion":${jsonString(clientVersion)}`
  return `,"client":${jsonString(clientName)}${version}`
}

function costMembers({ estimated, exceeded, actual }: RequestCost): LineMembers {
  const counted = actual === null ? '' : `,"actualCost":${rounded(actual)}`
  return `,"cost":${rounded(estimated)}${counted}${exceeded === null ? '' : `,"costExceeded":"${exceeded}"`}`
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).slice(0, MAX_LOGGED)
}

/** To microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}

function subscriptionMembers({ end, began, events, withErrors }: SubscriptionSummary): LineMembers {
  const lasted = rounded(performance.now() - began)
  const failed = withErrors === 0 ? '' : `,"eventsWithErrors":${withErrors}`
  return `,"subscription":${jsonString(end)},"lasted":${lasted},"events":${events}${failed}`
}

function outcomeOf({ aborted, stalled, subscription }: RequestSummary): string {
  if (stalled === 'traffic.write_timeout')
    return 'the client read nothing for traffic.write_timeout: its answer was ended'
  if (stalled === 'traffic.max_unsent_size')
    return 'the client read too slowly, and more waited than traffic.max_unsent_size allows: its answer was ended'
  if (subscription !== null) return 'subscription ended'
  return aborted ? 'the client left before its answer was complete' : 'request answered'
}

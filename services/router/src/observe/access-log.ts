/** Logs one line for each request. */
import { type FlatFields, FrequentLines, type Logger } from '@switchyard/service-kit'
import { MAX_HASH, MAX_LOGGED } from './logged.ts'
import type { RequestObserver } from './request-observer.ts'
import { flagNamedInVain, requestIds, type RequestSummary } from './request-summary.ts'

/** Logs each request when it has ended. */
export class AccessLog implements RequestObserver {
  readonly #lines: FrequentLines

  constructor(logger: Logger) {
    this.#lines = new FrequentLines(logger)
  }

  ended(request: RequestSummary): void {
    if (this.#lines.isEnabled) this.#lines.info(loggedRequest(request), outcomeOf(request))
  }
}

/**
 * Absent is what was not chosen, did not happen, or was not there. Of what a client sends, only names and the
 * path are logged.
 */
function loggedRequest(request: RequestSummary): FlatFields {
  const { composition, operation, code, waitedForPlan, parts, firstPart, errors } = request
  const requestedFlag = flagNamedInVain(request)
  const ids = requestIds(request.span, request.requestId)
  const fields: Record<string, FlatFields[string]> = {
    event: 'request.answered',
    method: request.method,
    path: pathOf(request.url),
    status: request.status,
    milliseconds: rounded(request.phases.whole),
    trace_id: ids.trace_id,
    span_id: ids.span_id,
    request_id: ids.request_id,
  }
  if (composition !== null) {
    fields['flagReason'] = composition.reason
    fields['flag'] = composition.flag
    fields['artifact'] = composition.generation.artifact.slice(0, MAX_HASH)
    fields['revision'] = composition.config.version.revision
  }
  if (requestedFlag !== null) fields['requestedFlag'] = requestedFlag.slice(0, MAX_LOGGED)
  if (operation !== null) fields['operation'] = operation.slice(0, MAX_LOGGED)
  if (request.joined) fields['joined'] = true
  if (code !== null) fields['code'] = code
  if (waitedForPlan !== null) fields['waitedForPlan'] = Math.round(waitedForPlan)
  if (firstPart !== null) {
    fields['parts'] = parts
    fields['firstPart'] = rounded(firstPart)
  }
  if (errors !== 0) fields['errors'] = errors
  if (request.aborted) fields['aborted'] = true
  if (request.stalled !== null) fields['stalled'] = true
  return fields
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).slice(0, MAX_LOGGED)
}

/** To microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}

function outcomeOf({ aborted, stalled }: RequestSummary): string {
  if (stalled === 'traffic.write_timeout')
    return 'the client read nothing for traffic.write_timeout: its answer was ended'
  if (stalled === 'traffic.max_unsent_size')
    return 'the client read too slowly, and more waited than traffic.max_unsent_size allows: its answer was ended'
  return aborted ? 'the client left before its answer was complete' : 'request answered'
}

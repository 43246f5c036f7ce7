/** Logs one line for each request. */
import type { Logger } from '@switchyard/service-kit'
import { MAX_HASH, MAX_LOGGED } from './logged.ts'
import type { RequestObserver } from './request-observer.ts'
import { flagNamedInVain, requestIds, type RequestSummary } from './request-summary.ts'

/** Logs each request when it has ended. */
export class AccessLog implements RequestObserver {
  readonly #log: Logger

  constructor(logger: Logger) {
    this.#log = logger
  }

  ended(request: RequestSummary): void {
    if (this.#log.isLevelEnabled('info')) this.#log.info(loggedRequest(request), outcomeOf(request))
  }
}

/** Absent is what was not chosen, did not happen, or was not there. */
function loggedRequest(request: RequestSummary) {
  const { composition, operation, code, waitedForPlan, parts, firstPart, errors } = request
  const requestedFlag = flagNamedInVain(request)
  return {
    event: 'request.answered',
    method: request.method,
    path: (request.url.split('?', 1)[0] ?? '/').slice(0, MAX_LOGGED),
    status: request.status,
    milliseconds: Math.round(request.phases.whole * 1000) / 1000,
    ...requestIds(request.span, request.requestId),
    ...(composition === null
      ? {}
      : {
          flagReason: composition.reason,
          flag: composition.flag,
          artifact: composition.generation.artifact.slice(0, MAX_HASH),
          revision: composition.config.version.revision,
        }),
    ...(requestedFlag === null ? {} : { requestedFlag: requestedFlag.slice(0, MAX_LOGGED) }),
    ...(operation === null ? {} : { operation: operation.slice(0, MAX_LOGGED) }),
    ...(code === null ? {} : { code }),
    ...(waitedForPlan === null ? {} : { waitedForPlan: Math.round(waitedForPlan) }),
    ...(firstPart === null ? {} : { parts, firstPart: Math.round(firstPart * 1000) / 1000 }),
    ...(errors === 0 ? {} : { errors }),
    ...(request.aborted ? { aborted: true } : {}),
    ...(request.stalled === null ? {} : { stalled: true }),
  }
}

function outcomeOf({ aborted, stalled }: RequestSummary): string {
  if (stalled === 'traffic.write_timeout')
    return 'the client read nothing for traffic.write_timeout: its answer was ended'
  if (stalled === 'traffic.max_unsent_size')
    return 'the client read too slowly, and more waited than traffic.max_unsent_size allows: its answer was ended'
  return aborted ? 'the client left before its answer was complete' : 'request answered'
}

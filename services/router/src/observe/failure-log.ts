/** Logs what goes wrong with requests, whether single requests are logged or not. */
import { logEvent, type Logger } from '@switchyard/service-kit'
import type { EndedCall, RequestObserver } from './request-observer.ts'
import { type RequestIds, requestIds } from './request-summary.ts'

/** The log events of this file. */
export const LOGGED = {
  requestFailed: logEvent('request.failed', {
    level: 'error',
    fields: ['err'],
    says: 'A request failed because of a defect of the router. The client got 500, or an answer without the affected part.',
    advice: 'Report it with the line',
  }),
  subgraphFailed: logEvent('subgraph.failed', {
    level: 'warn',
    fields: ['subgraph', 'code', 'detail'],
    rareFields: ['joined'],
    says: 'A subgraph call failed; the answer has an error at its path. `detail` has the reason that clients do not see. `joined`: the fetch was waiting for the call of [an equal fetch](configuration.md#fetches-in-flight-at-the-same-time).',
    advice: 'Look at the subgraph; [errors.md](errors.md) has the code',
  }),
}

/** Logs faults of the router and calls of subgraphs that failed. */
export class FailureLog implements RequestObserver {
  readonly #log: Logger

  constructor(logger: Logger) {
    this.#log = logger
  }

  /** Logs a fault of the router. Without ids, it belongs to no request. */
  defect(error: unknown, ids?: RequestIds): void {
    LOGGED.requestFailed.write(this.#log, { err: error, ...ids }, 'a request failed inside the router')
  }

  /** A call that nobody waited for any more is no failure. */
  callEnded({ subgraph, failure, detail, span, requestId, joined }: EndedCall): void {
    if (failure === null || failure.code === 'SUBGRAPH_CANCELLED') return
    const facts = { subgraph, code: failure.code, detail, joined: joined || undefined }
    const ids = requestIds(span, requestId)
    LOGGED.subgraphFailed.write(this.#log, { ...facts, ...ids }, failure.message)
  }
}

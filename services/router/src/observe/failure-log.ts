/** Logs what goes wrong with requests, whether single requests are logged or not. */
import type { Logger } from '@switchyard/service-kit'
import type { EndedCall, RequestObserver } from './request-observer.ts'
import { type RequestIds, requestIds } from './request-summary.ts'

/** Logs faults of the router and calls of subgraphs that failed. */
export class FailureLog implements RequestObserver {
  readonly #log: Logger

  constructor(logger: Logger) {
    this.#log = logger
  }

  /** Logs a fault of the router. Without ids, it belongs to no request. */
  defect(error: unknown, ids?: RequestIds): void {
    this.#log.error({ event: 'request.failed', err: error, ...ids }, 'a request failed inside the router')
  }

  /** A call that nobody waited for any more is no failure. */
  callEnded({ subgraph, failure, detail, span, requestId, joined }: EndedCall): void {
    if (failure === null || failure.code === 'SUBGRAPH_CANCELLED') return
    const facts = { subgraph, code: failure.code, detail, ...(joined && { joined }) }
    const ids = requestIds(span, requestId)
    this.#log.warn({ event: 'subgraph.failed', ...facts, ...ids }, failure.message)
  }
}

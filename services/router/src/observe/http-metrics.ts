/** Times requests of clients, and counts those that are refused, whatever they are for. */
import { createCheapHistogram, declareHistogram, HTTP_DURATIONS } from '@switchyard/service-kit'
import { METER } from './meter.ts'
import type { RefusalEvents } from './refusal-events.ts'
import type { RequestObserver } from './request-observer.ts'
import { KNOWN_METHODS, type RequestSummary } from './request-summary.ts'

export const SERVER_REQUEST_DURATION = declareHistogram('http.server.request.duration', {
  unit: 's',
  description: 'How long requests of clients took until their answer was written, by status and route',
  boundaries: HTTP_DURATIONS,
  labels: {
    'http.request.method': '',
    'http.response.status_code': '',
    'http.route': '`{base_path}/graphql`, or a path of [OFREP](ofrep.md)',
  },
})

/** Keeps the instruments for requests of every route. */
export class HttpMetrics implements RequestObserver {
  readonly #refusals: RefusalEvents
  readonly #durations = createCheapHistogram(METER, SERVER_REQUEST_DURATION)

  constructor(refusals: RefusalEvents) {
    this.#refusals = refusals
  }

  ended({ method, status, route, phases, code }: RequestSummary): void {
    const known = KNOWN_METHODS.has(method) ? method : '_OTHER'
    this.#durations.of(known, status, route).record(phases.whole / 1000)
    if (code !== null) this.#refusals.requestRefused(code)
  }
}

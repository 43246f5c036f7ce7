/** Counts requests by the names that clients give themselves, for the names that the settings list. */
import { createCheapCounter } from '@switchyard/service-kit'
import { METER } from './meter.ts'
import type { RequestObserver } from './request-observer.ts'
import type { RequestSummary } from './request-summary.ts'

/** The label of requests whose client has another name, or none. */
const OTHERS = ''

/** Counts requests of listed clients, and those of all others together. */
export class ClientMetrics implements RequestObserver {
  readonly #names: ReadonlySet<string>
  readonly #requests

  constructor(names: readonly string[]) {
    this.#names = new Set(names)
    this.#requests = createCheapCounter(METER, 'switchyard.router.client_requests', {
      description: 'Requests of clients that came to an end, by the name that the client gave itself',
      labels: ['client', 'status'],
    })
  }

  ended({ clientName, status }: RequestSummary): void {
    // Anybody may send any name: only those that the operator listed become labels.
    this.#requests.of(this.#names.has(clientName) ? clientName : OTHERS, status).record(1)
  }
}

/** Counts requests by the names that clients give themselves, for the names that the settings list. */
import { createCheapCounter } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'
import type { RequestObserver } from '../observe/request-observer.ts'
import type { RequestSummary } from '../observe/request-summary.ts'

/** The label of requests whose client has another name, or none. */
const OTHERS = ''

/** Counts requests of listed clients, and those of all others together. */
export class ClientMetrics {
  readonly #requests

  constructor() {
    this.#requests = createCheapCounter(METER, 'switchyard.router.client_requests', {
      description: 'Requests of clients that have ended, by the name that the client sent',
      labels: ['client', 'status'],
    })
  }

  /** Anybody may send any name: only these become labels. */
  observerOf(names: readonly string[]): RequestObserver {
    const listed = new Set(names)
    return {
      ended: ({ clientName, status }: RequestSummary) =>
        this.#requests.of(listed.has(clientName) ? clientName : OTHERS, status).record(1),
    }
  }
}

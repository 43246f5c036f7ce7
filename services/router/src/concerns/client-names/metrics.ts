/** Counts requests by the names that clients give themselves, for the names that the settings list. */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'
import type { RequestObserver } from '../../observe/request-observer.ts'
import type { RequestSummary } from '../../observe/request-summary.ts'

/** The label of requests whose client has another name, or none. */
const OTHERS = ''

export const CLIENT_REQUESTS = declareCounter('switchyard.router.client_requests', {
  description: 'Requests of clients that have ended, by the name that the client sent',
  labels: { client: 'a name of `client_identification.counted_names`, empty for all others', status: '' },
})

/** Counts requests of listed clients, and those of all others together. */
export class ClientMetrics {
  readonly #requests = createCheapCounter(METER, CLIENT_REQUESTS)

  /** Anybody may send any name: only these become labels. */
  observerOf(names: readonly string[]): RequestObserver {
    const listed = new Set(names)
    return {
      ended: ({ clientName, status }: RequestSummary) =>
        this.#requests.of(listed.has(clientName) ? clientName : OTHERS, status).record(1),
    }
  }
}

/** Counts headers of subgraphs' answers that rules name and that clients did not get. */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

export const RESPONSE_HEADERS_DROPPED = declareCounter('switchyard.router.response_headers_dropped', {
  description: 'Headers of subgraph answers that a rule propagates and that clients did not get',
  labels: { reason: ['too_late', 'too_large', 'invalid'] },
})

/** Keeps the instrument; one for all requests. */
export class ResponseHeaderMetrics {
  readonly #dropped = createCheapCounter(METER, RESPONSE_HEADERS_DROPPED)

  dropped(reason: 'too_large' | 'too_late' | 'invalid'): void {
    this.#dropped.of(reason).record(1)
  }
}

/** Counts headers of subgraphs' answers that rules name and that clients did not get. */
import { createCheapCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

/** Keeps the instrument; one for all requests. */
export class ResponseHeaderMetrics {
  readonly #dropped = createCheapCounter(METER, 'switchyard.router.response_headers_dropped', {
    description: 'Headers of subgraph answers that a rule propagates and that clients did not get',
    labels: ['reason'],
  })

  dropped(reason: 'too_large' | 'too_late' | 'invalid'): void {
    this.#dropped.of(reason).record(1)
  }
}

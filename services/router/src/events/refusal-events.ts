/** Requests that are refused, by the code of their error: the same counter for all that came as a request and for what never did. */
import { metrics } from '@opentelemetry/api'

export class RefusalEvents {
  readonly #refusals

  constructor() {
    this.#refusals = metrics.getMeter('@switchyard/router').createCounter('switchyard.router.refusals', {
      description: 'Requests that were refused, by the code of their error',
    })
  }

  /** `code` is one of the documented codes, never what a client made up. */
  requestRefused(code: string): void {
    this.#refusals.add(1, { code })
  }
}

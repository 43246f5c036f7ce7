/**
 * Requests that are refused, by the code of their error: the same counter for all that came as a request and
 * for what never did.
 */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from './meter.ts'

export const REFUSALS = declareCounter('switchyard.router.refusals', {
  description: 'Requests that were refused, by the code of their error',
  labels: { code: 'see [errors.md](errors.md)' },
})

/** Counts refusals. */
export class RefusalEvents {
  readonly #refusals = createCheapCounter(METER, REFUSALS)

  /** `code` is one of the documented codes, never what a client made up. */
  requestRefused(code: string): void {
    this.#refusals.of(code).record(1)
  }
}

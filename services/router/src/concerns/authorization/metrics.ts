/** Counts what requests asked for and may not see. */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'
import type { RequestObserver } from '../../observe/request-observer.ts'
import type { RequestSummary } from '../../observe/request-summary.ts'

export const DENIED_OPERATIONS = declareCounter('switchyard.router.denied_operations', {
  description: 'Requests for fields that they may not see, by whether the rest was answered',
  labels: { outcome: ['nulled', 'refused'], flag: '' },
})

export const DENIED_FIELDS = declareCounter('switchyard.router.denied_fields', {
  description: 'Fields that requests selected and may not see',
  labels: { flag: '' },
})

/** Keeps the instruments; one for all requests. */
export class DenialMetrics implements RequestObserver {
  readonly #operations = createCheapCounter(METER, DENIED_OPERATIONS)
  readonly #fields = createCheapCounter(METER, DENIED_FIELDS)

  ended({ composition, code, denied }: Pick<RequestSummary, 'composition' | 'code' | 'denied'>): void {
    if (denied === 0) return
    const flag = composition?.flag ?? ''
    this.#operations.of(code === 'UNAUTHORIZED_FIELD_OR_TYPE' ? 'refused' : 'nulled', flag).record(1)
    this.#fields.of(flag).record(denied)
  }
}

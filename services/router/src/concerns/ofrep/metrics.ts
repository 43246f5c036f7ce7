/** Counts what clients were told about flags. */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'
import type { Evaluated } from './evaluation.ts'

export const FLAG_EVALUATIONS = declareCounter('switchyard.router.flag_evaluations', {
  description: 'Answers to questions about a feature flag by [OFREP](ofrep.md)',
  labels: {
    flag: 'of `ofrep.flags`',
    variant: ['on', 'off'],
    reason: ['STATIC', 'SPLIT', 'TARGETING_MATCH', 'DEFAULT', 'DISABLED'],
  },
})

/** Counts evaluations. */
export class OfrepMetrics {
  readonly #evaluations = createCheapCounter(METER, FLAG_EVALUATIONS)

  /** The flag is one of the settings: names that clients make up would grow without end. */
  evaluated({ key, variant, reason }: Evaluated): void {
    this.#evaluations.of(key, variant, reason).record(1)
  }
}

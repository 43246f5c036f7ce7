/** Counts what became of the samples whose answers were to be compared. */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

const OUTCOMES = ['equal', 'different', 'unanswerable', 'not-comparable', 'dropped'] as const
/** The outcome of a sample. `dropped`: the router had other things to do. */
export type ShadowOutcome = (typeof OUTCOMES)[number]

export const SHADOW_SAMPLES = declareCounter('switchyard.router.shadow_samples', {
  description: 'Requests chosen to be compared with what a flag would have answered, by what became of it',
  labels: { outcome: OUTCOMES },
})

/** Counts samples. */
export class ShadowMetrics {
  readonly #samples = createCheapCounter(METER, SHADOW_SAMPLES)

  count(outcome: ShadowOutcome): void {
    this.#samples.of(outcome).record(1)
  }
}

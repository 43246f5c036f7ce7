/** The metrics of requests with files. */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

export const UPLOADS = declareCounter('switchyard.router.uploads', {
  description: 'Requests with files, by what became of the files',
  labels: {
    outcome:
      '`sent` to a subgraph, `refused` (malformed, too large, too slow), `given-up` (the subgraph or the client ended first), or `unused`',
  },
})

/** The end of the files of a request. */
export type UploadOutcome = 'sent' | 'refused' | 'given-up' | 'unused'

/** Counts requests with files. */
export class UploadMetrics {
  readonly #uploads = createCheapCounter(METER, UPLOADS)

  ended(outcome: UploadOutcome): void {
    this.#uploads.of(outcome).record(1)
  }
}

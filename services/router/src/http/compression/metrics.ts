/** The metric of answers to clients that were compressed. */
import { createCheapCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

/** Counts answers. It exists only if answers are compressed. */
export class CompressionMetrics {
  readonly #answers

  constructor() {
    this.#answers = createCheapCounter(METER, 'switchyard.router.compressed_answers', {
      description: 'Answers that clients take compressed, by how they were',
      labels: ['encoding'],
    })
  }

  compressed(encoding: string): void {
    this.#answers.of(encoding).record(1)
  }

  /** An answer was not compressed, because too many are compressed at the same time, or wait for it. */
  skipped(): void {
    this.#answers.of('none').record(1)
  }
}

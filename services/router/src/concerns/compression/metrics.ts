/** The metric of answers to clients that were compressed. */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

export const COMPRESSED_ANSWERS = declareCounter('switchyard.router.compressed_answers', {
  description: 'Answers to clients that accept compression, by the encoding that was used',
  labels: { encoding: '`zstd`, `br`, `gzip`, or `none`, where there was no room for it' },
})

/** Counts answers. It exists only if answers are compressed. */
export class CompressionMetrics {
  readonly #answers = createCheapCounter(METER, COMPRESSED_ANSWERS)

  compressed(encoding: string): void {
    this.#answers.of(encoding).record(1)
  }

  /** An answer was not compressed, because too many are compressed at the same time, or wait for it. */
  skipped(): void {
    this.#answers.of('none').record(1)
  }
}

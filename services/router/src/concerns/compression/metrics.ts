/** The metrics of answers to clients that were compressed, and of compressed requests. */
import { createCheapCounter, declareCounter } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

export const COMPRESSED_ANSWERS = declareCounter('switchyard.router.compressed_answers', {
  description: 'Answers to clients that accept compression, by the encoding that was used',
  labels: { encoding: '`zstd`, `br`, `gzip`, or `none`, where there was no room for it' },
})

export const COMPRESSED_REQUESTS = declareCounter('switchyard.router.compressed_requests', {
  description: 'Requests with a compressed body, whether it could be unpacked or not',
  labels: { encoding: '`gzip`, `br`, `zstd`' },
})

/** Counts compressed requests by their encoding. */
export class CompressedRequests {
  readonly #requests = createCheapCounter(METER, COMPRESSED_REQUESTS)

  received(encoding: string): void {
    this.#requests.of(encoding).record(1)
  }
}

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

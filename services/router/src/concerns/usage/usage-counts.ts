/** Counts of requests: how many, how many with errors, and how long they took. */
import { USAGE_BUCKETS, usageBucket, type LatencyCounts } from '@switchyard/contracts'

/** The members of a row that count. */
export type Told = {
  readonly requests: number
  readonly errors: number
  readonly latency: LatencyCounts
}

/** Counts that grow. */
export class UsageCounts {
  requests = 0
  errors = 0
  readonly #latency = new Uint32Array(USAGE_BUCKETS)

  count(milliseconds: number, isError: boolean): void {
    this.requests++
    if (isError) this.errors++
    const bucket = usageBucket(milliseconds)
    this.#latency[bucket] = (this.#latency[bucket] ?? 0) + 1
  }

  /** Adds the counts of others. */
  add({ requests, errors, latency }: Told): void {
    this.requests += requests
    this.errors += errors
    for (const [bucket, count] of latency) this.#latency[bucket] = (this.#latency[bucket] ?? 0) + count
  }

  get told(): Told {
    const latency: [number, number][] = []
    for (const [bucket, count] of this.#latency.entries()) if (count > 0) latency.push([bucket, count])
    return { requests: this.requests, errors: this.errors, latency }
  }
}

/** Requests, errors and latencies that are added up. */
import { usageBucketMs, USAGE_BUCKETS, type RouterUsage, type UsageLatency } from '@switchyard/contracts'
import type { z } from 'zod'

export type Counts = {
  requests: number
  errors: number
  /** The last minute with a request, Unix time in minutes. */
  last: number
  /** Requests by bucket. */
  readonly latency: number[]
}

export function noCounts(): Counts {
  return { requests: 0, errors: 0, last: 0, latency: Array.from({ length: USAGE_BUCKETS }, () => 0) }
}

/** Adds the counts of a message to those of a block. */
export function addMessage(
  counts: Counts,
  { requests, errors, latency }: Pick<RouterUsage['rows'][number], 'requests' | 'errors' | 'latency'>,
  minute: number,
): void {
  counts.requests += requests
  counts.errors += errors
  if (requests > 0) counts.last = Math.max(counts.last, minute)
  for (const [bucket, count] of latency) counts.latency[bucket] = (counts.latency[bucket] ?? 0) + count
}

/**
 * Adds counts that stand in a list: requests, errors, the last minute from `start`, the number of buckets,
 * and the buckets. `at` is the place of the first.
 */
export function addNumbers(counts: Counts, numbers: readonly number[], at: number, start: number): void {
  const requests = numbers[at] ?? 0
  counts.requests += requests
  counts.errors += numbers[at + 1] ?? 0
  if (requests > 0) counts.last = Math.max(counts.last, start + (numbers[at + 2] ?? 0))
  const end = at + 4 + 2 * (numbers[at + 3] ?? 0)
  for (let place = at + 4; place < end; place += 2) {
    const bucket = numbers[place] ?? 0
    counts.latency[bucket] = (counts.latency[bucket] ?? 0) + (numbers[place + 1] ?? 0)
  }
}

/** Adds counts to others. */
export function addCounts(counts: Counts, { requests, errors, last, latency }: Counts): void {
  counts.requests += requests
  counts.errors += errors
  counts.last = Math.max(counts.last, last)
  for (let bucket = 0; bucket < latency.length; bucket += 1)
    counts.latency[bucket] = (counts.latency[bucket] ?? 0) + (latency[bucket] ?? 0)
}

/** Appends counts to a list of numbers, from which `addNumbers` reads them. */
export function pushNumbers(
  numbers: number[],
  { requests, errors, last, latency }: Counts,
  start: number,
): void {
  numbers.push(requests, errors, Math.max(0, last - start), 0)
  const place = numbers.length - 1
  for (let bucket = 0; bucket < latency.length; bucket += 1) {
    const count = latency[bucket] ?? 0
    if (count > 0) numbers.push(bucket, count)
  }
  numbers[place] = (numbers.length - place - 1) / 2
}

/** Returns the quantiles of latencies. */
export function latencyOf({ latency }: Counts): z.infer<typeof UsageLatency> {
  let total = 0
  for (const count of latency) total += count ?? 0
  const quantile = (share: number): number | null => {
    let seen = 0
    for (let bucket = 0; bucket < latency.length; bucket += 1) {
      seen += latency[bucket] ?? 0
      if (seen > 0 && seen >= share * total) return usageBucketMs(bucket)
    }
    return null
  }
  return { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99) }
}

/** Returns counts as answers of the management API tell them. */
export function totalsOf(counts: Counts) {
  return { requests: counts.requests, errors: counts.errors, latencyMs: latencyOf(counts) }
}

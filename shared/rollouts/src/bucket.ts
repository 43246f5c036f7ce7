/** Buckets of keys: the same key of a rollout always has the same one, and keys are spread over all. */
import { stickyShare } from '@switchyard/values'

/** The number of buckets. A rollout takes those below its percentage: 500 of them are 5 percent. */
export const BUCKETS = 10_000

/**
 * Returns the bucket of a key, from 0 to 9,999: `floor(hash × 10000 / 2^32)`, where `hash` is MurmurHash3 x86
 * 32 with seed 0 of the UTF-8 bytes of `<salt>:<key>`. So does flagd's operator `fractional`.
 */
export function bucketOf(salt: string, key: string): number {
  return Math.floor(stickyShare(`${salt}:${key}`) * BUCKETS)
}

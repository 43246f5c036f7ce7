/** The settings `subgraphs.retry`: which failed calls of subgraphs are made again, and how often. */
import { z } from 'zod'
import { duration, requiredDuration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { camelCased } from '../../settings/camel-cased.ts'

const MaxRetries = z.int().min(0).max(10)
const Statuses = z.array(z.int().min(400).max(599))
const Budget = z.number().min(0.01).max(1)

/** For all subgraphs. */
export const RetrySettings = section({
  /** Of one call, beside the first attempt. 0: failed calls are not made again. */
  max_retries: MaxRetries.default(0),
  /** Of answers in whose place another one is asked for. */
  statuses: Statuses.default([502, 503, 504]),
  /** At most waited before the first retry; before each further one twice as long. */
  backoff: duration('50ms'),
  max_backoff: duration('1s'),
  /** Retries of a subgraph, as a part of its calls. */
  budget: Budget.default(0.1),
})

/** For one subgraph; what is absent is as for all. */
export const RetryOverride = z.strictObject({
  max_retries: MaxRetries.optional(),
  statuses: Statuses.optional(),
  backoff: requiredDuration().optional(),
  max_backoff: requiredDuration().optional(),
  budget: Budget.optional(),
})

/** Times in milliseconds. */
export type RetryConfig = ReturnType<typeof retryConfigOf>

/** The settings under the names that code uses. */
export function retryConfigOf(settings: z.output<typeof RetrySettings>) {
  return { ...camelCased(settings), statuses: new Set(settings.statuses) } as const
}

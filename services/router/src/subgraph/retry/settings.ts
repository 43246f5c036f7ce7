/** The settings `subgraphs.retry`: which failed calls of subgraphs are retried, and how often. */
import { z } from 'zod'
import { duration, requiredDuration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { problemIf, type SettingProblem } from '../../settings/setting-problems.ts'
import { camelCased } from '../../settings/camel-cased.ts'

const MaxRetries = z.int().min(0).max(10)
const Statuses = z.array(z.int().min(400).max(599))
const Budget = z.number().min(0.01).max(1)

/** The settings for all subgraphs. */
export const RetrySettings = section({
  /** Retries of one call after its first attempt. With 0, failed calls are not retried. */
  max_retries: MaxRetries.default(0),
  /** HTTP statuses of answers that are dropped and asked for again. */
  statuses: Statuses.default([502, 503, 504]),
  /** The longest wait before the first retry. It doubles before each further one. */
  backoff: duration('50ms'),
  max_backoff: duration('1s'),
  /** Retries of a subgraph, as a part of its calls. */
  budget: Budget.default(0.1),
})

/** The settings for one subgraph. A setting that is absent is as for all subgraphs. */
export const RetryOverride = z.strictObject({
  max_retries: MaxRetries.optional(),
  statuses: Statuses.optional(),
  backoff: requiredDuration().optional(),
  max_backoff: requiredDuration().optional(),
  budget: Budget.optional(),
})

/** Returns the problem of a wait that begins longer than it may become. */
export function uselessBackoff({
  backoff,
  max_backoff: most,
}: Pick<z.output<typeof RetrySettings>, 'backoff' | 'max_backoff'>): readonly SettingProblem[] {
  const message = `expected at most max_backoff, which is ${most}ms: no time between retries is longer`
  return problemIf(backoff > most, ['retry', 'backoff'], message)
}

/** The settings as the router uses them; times are in milliseconds. */
export type RetryConfig = ReturnType<typeof retryConfigOf>

/** Returns the settings under the names that code uses. */
export function retryConfigOf(settings: z.output<typeof RetrySettings>) {
  return { ...camelCased(settings), statuses: new Set(settings.statuses) } as const
}

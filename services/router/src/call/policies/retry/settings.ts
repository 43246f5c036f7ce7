/** The settings `subgraphs.retry`: which failed calls of subgraphs are retried, and how often. */
import { z } from 'zod'
import { duration, requiredDuration } from '../../../settings/quantities.ts'
import { section } from '../../../settings/section.ts'
import { setting } from '../../../settings/setting.ts'
import { problemIf, type SettingProblem } from '../../../settings/setting-problems.ts'
import { camelCased } from '../../../settings/camel-cased.ts'

const MaxRetries = z.int().min(0).max(10)
const Statuses = z.array(z.int().min(400).max(599))
const Budget = z.number().min(0.01).max(1)

/** The settings for all subgraphs. */
export const RetrySettings = section({
  max_retries: setting(MaxRetries.default(0), {
    says: 'how often a failed call of a query is [retried](#calls-that-are-made-again), 10 times at most; `0`: never',
  }),
  statuses: setting(Statuses.default([502, 503, 504]), {
    says: 'HTTP statuses that are retried, beside failed connections; `429` is possible, too',
  }),
  backoff: setting(duration('50ms'), {
    says: 'longest wait before the first retry; it doubles with each further retry. The wait is a random part of it',
  }),
  max_backoff: setting(duration('1s'), { says: 'upper limit of this wait' }),
  budget: setting(Budget.default(0.1), {
    says: 'retry budget: retries of a subgraph as a fraction of its calls, from 0.01 to 1',
  }),
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

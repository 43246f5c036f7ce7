/** The settings `subgraphs.hedge`: which calls of subgraphs are hedged. */
import { z } from 'zod'
import { duration, requiredDuration } from '../../../settings/quantities.ts'
import { section } from '../../../settings/section.ts'
import { setting } from '../../../settings/setting.ts'
import { problemIf, type SettingProblem } from '../../../settings/setting-problems.ts'

/** The part of the calls that may be hedged. With 1, a slow subgraph would get each call twice. */
const Budget = z.number().min(0.01).max(0.5)
const isSome = (milliseconds: number): boolean => milliseconds > 0
const SOME = 'expected at least 1ms'

/** The settings for all subgraphs. */
export const HedgeSettings = section({
  enabled: setting(z.boolean().default(false), {
    says: 'whether a query call to a slow subgraph is [sent a second time](#calls-that-are-made-a-second-time) while the first call is still waiting for its answer to begin (hedged request)',
  }),
  after: setting(duration('100ms').refine(isSome, SOME), {
    says: 'how long the router waits for an answer to begin before it does so',
  }),
  budget: setting(Budget.default(0.05), {
    says: 'hedged requests of a subgraph as a fraction of its calls, from 0.01 to 0.5',
  }),
})

/** The settings for one subgraph. A setting that is absent is as for all subgraphs. */
export const HedgeOverride = z.strictObject({
  enabled: z.boolean().optional(),
  after: requiredDuration().refine(isSome, SOME).optional(),
  budget: Budget.optional(),
})

/** Returns the problem of hedged attempts that are never made, because calls end before. */
export function uselessHedge(
  { enabled, after }: HedgeConfig,
  { timeout, first_byte_timeout: firstByte = timeout }: CallTimes,
): readonly SettingProblem[] {
  const end = Math.min(timeout, firstByte)
  const message = `calls end after ${end}ms, so a second one would never be made: expected less than that`
  return problemIf(enabled && after >= end, ['hedge', 'after'], message)
}

/** Limits of one call, in milliseconds. */
type CallTimes = { readonly timeout: number; readonly first_byte_timeout?: number | undefined }

/** The settings as the router uses them; times are in milliseconds. */
export type HedgeConfig = z.output<typeof HedgeSettings>

/** The settings `subgraphs.hedge`: which calls of subgraphs are hedged. */
import { z } from 'zod'
import { duration, requiredDuration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'

/** The part of the calls that may be hedged. With 1, a slow subgraph would get each call twice. */
const Budget = z.number().min(0.01).max(0.5)
const isSome = (milliseconds: number): boolean => milliseconds > 0
const SOME = 'expected at least 1ms'

/** The settings for all subgraphs. */
export const HedgeSettings = section({
  enabled: z.boolean().default(false),
  /** How long to wait for the beginning of an answer before a hedged attempt is made. */
  after: duration('100ms').refine(isSome, SOME),
  /** Hedged attempts of a subgraph, as a part of its calls. */
  budget: Budget.default(0.05),
})

/** The settings for one subgraph. A setting that is absent is as for all subgraphs. */
export const HedgeOverride = z.strictObject({
  enabled: z.boolean().optional(),
  after: requiredDuration().refine(isSome, SOME).optional(),
  budget: Budget.optional(),
})

/** The settings as the router uses them; times are in milliseconds. */
export type HedgeConfig = z.output<typeof HedgeSettings>

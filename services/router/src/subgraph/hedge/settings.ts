/** The settings `subgraphs.hedge`: which calls of subgraphs are made again while the first one lasts. */
import { z } from 'zod'
import { duration, requiredDuration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'

/** At 1 a subgraph that is slow would get each call twice. */
const Budget = z.number().min(0.01).max(0.5)
const isSome = (milliseconds: number): boolean => milliseconds > 0
const SOME = 'expected at least 1ms'

/** For all subgraphs. */
export const HedgeSettings = section({
  enabled: z.boolean().default(false),
  /** How long no answer begins until the second call is made. */
  after: duration('100ms').refine(isSome, SOME),
  /** Second calls of a subgraph, as a part of its calls. */
  budget: Budget.default(0.05),
})

/** For one subgraph; what is absent is as for all. */
export const HedgeOverride = z.strictObject({
  enabled: z.boolean().optional(),
  after: requiredDuration().refine(isSome, SOME).optional(),
  budget: Budget.optional(),
})

/** Times in milliseconds. */
export type HedgeConfig = z.output<typeof HedgeSettings>

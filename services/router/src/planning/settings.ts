/** The section `planning`: how long plans may take that were never made before. */
import { z } from 'zod'
import { camelCased } from '../settings/camel-cased.ts'
import { duration } from '../settings/quantities.ts'
import { section } from '../settings/section.ts'
import { setting } from '../settings/setting.ts'

/**
 * Most steps of a plan on the thread that serves requests, about 5 ms. An operation that needs more goes to a
 * planning thread.
 */
export const MAIN_THREAD_STEPS = 2500

/** Operations of a replaced composition that are planned again before the new one serves. */
export const WARM_UP_OPERATIONS = 100

/** Plans that were never made before. */
export const PlanningSection = setting(
  section({
    max_steps: z.int().min(1).default(200_000),
    threads: z.int().min(1).max(64).default(2),
    /** Time limit of one operation in a planning thread, should its steps take unusually long. */
    time_limit: duration('500ms').refine((limit) => limit > 0, 'expected at least 1ms'),
    /** Planning time per second and process. */
    budget: duration('200ms').refine(
      (budget) => budget > 0,
      'expected at least 1ms: without any time nothing could be planned',
    ),
  }),
  { needsRestart: true },
)

/** Times in milliseconds. */
export type PlanningConfig = ReturnType<typeof planningConfigOf>

/** The settings under the names that code uses. */
export function planningConfigOf(settings: z.output<typeof PlanningSection>) {
  return camelCased(settings)
}

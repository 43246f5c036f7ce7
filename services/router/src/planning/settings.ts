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
    max_steps: setting(z.int().min(1).default(200_000), {
      says: 'planning steps that an operation may take, some hundred milliseconds; then it is refused with `PLANNING_LIMIT`. The thread that serves requests tries the first 2500 of them, about 5 ms; an operation that needs more goes to a planning thread',
    }),
    threads: setting(z.int().min(1).max(64).default(2), {
      says: 'planning threads that may work at the same time; started when there is work for them',
    }),
    time_limit: setting(
      duration('500ms').refine((limit) => limit > 0, 'expected at least 1ms'),
      {
        says: 'for one operation in a planning thread, whatever its steps take; then it is refused with `PLANNING_LIMIT`',
      },
    ),
    budget: setting(
      duration('200ms').refine(
        (budget) => budget > 0,
        'expected at least 1ms: without any time nothing could be planned',
      ),
      {
        says: "computing time per second that planning new operations may take, divided fairly [among clients](security.md#what-strangers-can-make-a-router-do); what is not used is saved, for 15 s, of which one client alone may take 10 s. Beyond its share a client's operations without a plan get 503 `PLANNING_OVERLOADED`. `1h`: no limit",
      },
    ),
    shared_fields: setting(z.boolean().default(true), {
      says: 'a `@shareable` field that several subgraphs have is asked of several of them at once where that is [cheaper](plans.md). `false`: only where no single one leads to all that is wanted',
    }),
    prefer: setting(z.enum(['latency', 'load']).default('load'), {
      says: 'what decides where a request can be saved by making another one later, and the response with it. `load` saves it where that is [cheaper](plans.md), `latency` only where the response is no later',
    }),
  }),
  { needsRestart: true },
)

/** Times in milliseconds. */
export type PlanningConfig = ReturnType<typeof planningConfigOf>

/** The settings under the names that code uses. */
export function planningConfigOf(settings: z.output<typeof PlanningSection>) {
  return camelCased(settings)
}

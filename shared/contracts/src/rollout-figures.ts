/** The answer of the registry's API about the figures of a rollout. */
import { Judgement } from '@switchyard/guards/schemas'
import { z } from 'zod'
import { Sequence } from './names.ts'
import { RolloutPercent } from './rollouts.ts'

const Count = z.int().min(0)
const Milliseconds = z.number().nullable()

const GroupTotals = z.object({
  requests: Count,
  errors: Count,
  /** The most frequent codes of errors. */
  codes: z.array(z.object({ code: z.string(), errors: Count })),
  /** Quantiles of latency: the lower end of a bucket that is 4.4 % wide. Null without requests. */
  latencyMs: z.object({ p50: Milliseconds, p90: Milliseconds, p95: Milliseconds, p99: Milliseconds }),
})

const RequestsAndErrors = z.object({ requests: Count, errors: Count })

/** Totals of all routers, as far as they have told them, since the step began. */
export const RolloutFigures = z.object({
  namespace: z.string(),
  rollout: z.string(),
  graph: z.string(),
  flag: z.string(),
  /** The step that the ramp is at. Null, with totals of nothing, if there is no ramp that routers count. */
  step: z
    .object({
      /** The step, counted from 0, and how many there are. */
      step: Count,
      steps: z.int().min(1),
      percent: RolloutPercent,
      /** Sequence of the record that began the step; its beginning and planned end in Unix milliseconds. */
      since: Sequence,
      sinceTime: z.number(),
      endTime: z.number(),
      /** Routers count while it is `running`. Afterwards the totals are what they had counted. */
      state: z.enum(['running', 'paused', 'ended']),
    })
    .nullable(),
  routers: z.object({
    /** Routers of the graph that serve. */
    living: Count,
    /** Those that have not told figures of the step since they were started. Empty unless it runs. */
    silent: z.array(z.string()),
    /** Those that treat the rollout as 0 % by their emergency stop. */
    stopped: z.array(z.string()),
  }),
  /** Requests of the audience whose keys are inside the percentage, and of those outside it. */
  inside: GroupTotals,
  control: GroupTotals,
  /** The most frequent operations. */
  operations: z.array(z.object({ name: z.string(), inside: RequestsAndErrors, control: RequestsAndErrors })),
  /** The judgement of these totals, or the one that ended the step. Null without guards, or at 100 %. */
  judgement: Judgement.nullable(),
})
export type RolloutFigures = z.infer<typeof RolloutFigures>

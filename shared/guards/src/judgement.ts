/** Judgements of the guards of a step, as values that fit into records. */
import { z } from 'zod'
import { QUANTILE_NAMES } from './quantiles.ts'

/**
 * `abort`: a guard is surely exceeded. `go-on`: all guards are surely kept. `inconclusive`: neither is sure.
 */
export const Outcome = z.enum(['go-on', 'abort', 'inconclusive'])
export type Outcome = z.infer<typeof Outcome>

/** The tested figure: the total of errors, errors by operation in one statistic, or a quantile of latency. */
export const Tested = z.enum(['errors', 'errors-by-operation', ...QUANTILE_NAMES])
export type Tested = z.infer<typeof Tested>

/** The judgement of one test. */
export const GuardJudgement = z.object({
  tested: Tested,
  outcome: Outcome,
  reason: z.enum(['exceeded', 'kept', 'unclear', 'too-few-requests', 'too-few-clusters']),
  /** The error rate of each group, from 0 to 1, or its latency in milliseconds. Null without requests. */
  inside: z.number().nullable(),
  control: z.number().nullable(),
  /**
   * The part of the figure inside that is above its limit, with its bounds. It is below 0 where the limit is
   * kept. Of an error rate it is a difference of rates from 0 to 1, of a latency a share of its limit. Null
   * if it is not known.
   */
  excess: z.object({
    value: z.number().nullable(),
    atLeast: z.number().nullable(),
    atMost: z.number().nullable(),
  }),
  /** The probability of a false abort that was left to this test. */
  alpha: z.number(),
  /** Requests inside after which the guard is probably known to be kept. Null if this cannot be said. */
  requestsNeeded: z.int().nullable(),
})
export type GuardJudgement = z.infer<typeof GuardJudgement>

/** The judgement of all guards of a ramp about a step. */
export const Judgement = z.object({
  outcome: Outcome,
  /** Requests that were judged. */
  requests: z.object({ inside: z.int().min(0), control: z.int().min(0) }),
  guards: z.array(GuardJudgement).max(Tested.options.length),
})
export type Judgement = z.infer<typeof Judgement>

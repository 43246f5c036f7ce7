/** The limits of a ramp, as values: guards, which are judged by statistics, and a plain emergency stop. */
import { z } from 'zod'
import { QUANTILE_NAMES } from './quantiles.ts'

/** Requests that each group must have before a guard says anything, unless the guards name another number. */
export const DEFAULT_MINIMUM_REQUESTS = 500
const LEAST_MINIMUM_REQUESTS = 100

const hasTwoDecimals = (value: number): boolean => Number(value.toFixed(2)) === value

/** Percentage points above the error rate of the control group. */
const Points = z
  .number()
  .min(0.01, 'a limit in points is at least 0.01')
  .max(100, 'a limit in points is at most 100')
  .refine(hasTwoDecimals, 'a limit in points has at most two decimals')
/** The figure inside, divided by that of the control group. */
const Ratio = z
  .number()
  .min(1.01, 'a ratio is at least 1.01')
  .max(100, 'a ratio is at most 100')
  .refine(hasTwoDecimals, 'a ratio has at most two decimals')

/** The limit of the error rate inside, against that of the control group. */
export const ErrorsGuard = z.union([z.strictObject({ points: Points }), z.strictObject({ ratio: Ratio })])
export type ErrorsGuard = z.infer<typeof ErrorsGuard>

const LatencyGuard = z.strictObject({ ratio: Ratio })

/** The guards of a ramp: at least one of errors and latencies. */
export const Guards = z
  .strictObject({
    errors: ErrorsGuard.optional(),
    p50: LatencyGuard.optional(),
    p90: LatencyGuard.optional(),
    p95: LatencyGuard.optional(),
    p99: LatencyGuard.optional(),
    /** Requests that each group must have before a guard says anything. */
    minimumRequests: z
      .int()
      .min(LEAST_MINIMUM_REQUESTS, `the minimum of requests is at least ${LEAST_MINIMUM_REQUESTS}`)
      .max(1_000_000_000, 'the minimum of requests is at most 1000000000')
      .optional(),
  })
  .refine(
    (guards) => guards.errors !== undefined || QUANTILE_NAMES.some((name) => guards[name] !== undefined),
    'guards limit errors or a latency, such as errors=+1pt or p99=1.3x',
  )
export type Guards = z.infer<typeof Guards>

/** The limit of the error rate inside, over ten seconds, whatever that of the control group is. */
export const EmergencyStop = z.strictObject({
  errors: z.strictObject({
    percent: z
      .number()
      .min(1, 'an emergency stop is at 1% or more')
      .max(99, 'an emergency stop is at 99% or less')
      .refine(hasTwoDecimals, 'an emergency stop has at most two decimals'),
  }),
})
export type EmergencyStop = z.infer<typeof EmergencyStop>

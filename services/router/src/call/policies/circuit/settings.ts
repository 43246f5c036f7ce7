/** The settings `subgraphs.circuit_breaker`: when a subgraph whose calls fail is not called for a while. */
import { z } from 'zod'
import { duration, requiredDuration } from '../../../settings/quantities.ts'
import { section } from '../../../settings/section.ts'
import { setting } from '../../../settings/setting.ts'
import type { CamelCased } from '../../../settings/camel-cased.ts'

const FailureRate = z.number().min(0.01).max(1)
const MinCalls = z.int().min(1).max(100_000)
const Probes = z.int().min(1).max(100)
const isSome = (milliseconds: number): boolean => milliseconds > 0
const SOME = 'expected at least 1ms'

/** The settings for all subgraphs. */
export const CircuitBreakerSettings = section({
  enabled: setting(z.boolean().default(false), {
    says: 'whether there is a [circuit breaker](#subgraphs-that-are-not-called-for-a-while): a subgraph whose calls fail is not called for a while',
  }),
  failure_rate: setting(FailureRate.default(0.5), {
    says: 'fraction of failed calls at which the circuit opens, from 0.01 to 1',
  }),
  min_calls: setting(MinCalls.default(20), {
    says: 'calls within the window that are needed before the circuit can open',
  }),
  window: setting(duration('10s').refine(isSome, SOME), { says: 'time for which a call counts' }),
  open_for: setting(duration('5s').refine(isSome, SOME), { says: 'how long the subgraph is not called' }),
  probes: setting(Probes.default(3), {
    says: 'calls that must be answered afterwards before the circuit closes',
  }),
})

/** The settings for one subgraph. A setting that is absent is as for all subgraphs. */
export const CircuitBreakerOverride = z.strictObject({
  enabled: z.boolean().optional(),
  failure_rate: FailureRate.optional(),
  min_calls: MinCalls.optional(),
  window: requiredDuration().refine(isSome, SOME).optional(),
  open_for: requiredDuration().refine(isSome, SOME).optional(),
  probes: Probes.optional(),
})

/** The settings as the router uses them; times are in milliseconds. */
export type CircuitBreakerConfig = CamelCased<z.output<typeof CircuitBreakerSettings>>

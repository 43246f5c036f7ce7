/** The settings `subgraphs.circuit_breaker`: when a subgraph whose calls fail is not called for a while. */
import { z } from 'zod'
import { duration, requiredDuration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import type { CamelCased } from '../../settings/camel-cased.ts'

const FailureRate = z.number().min(0.01).max(1)
const MinCalls = z.int().min(1).max(100_000)
const Probes = z.int().min(1).max(100)
const isSome = (milliseconds: number): boolean => milliseconds > 0
const SOME = 'expected at least 1ms'

/** The settings for all subgraphs. */
export const CircuitBreakerSettings = section({
  enabled: z.boolean().default(false),
  /** The part of the calls within `window` that has to fail to open the circuit. */
  failure_rate: FailureRate.default(0.5),
  /** Calls within `window` that are needed to judge a subgraph. */
  min_calls: MinCalls.default(20),
  window: duration('10s').refine(isSome, SOME),
  /** How long no call is made. */
  open_for: duration('5s').refine(isSome, SOME),
  /** Calls that are made after that time, to see whether they are answered. */
  probes: Probes.default(3),
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

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

/** For all subgraphs. */
export const CircuitBreakerSettings = section({
  enabled: z.boolean().default(false),
  /** Of the calls within `window`; from there on none are made. */
  failure_rate: FailureRate.default(0.5),
  /** Fewer calls within `window` say nothing. */
  min_calls: MinCalls.default(20),
  window: duration('10s').refine(isSome, SOME),
  /** How long none are made. */
  open_for: duration('5s').refine(isSome, SOME),
  /** Calls that are made then, to see whether they are answered. */
  probes: Probes.default(3),
})

/** For one subgraph; what is absent is as for all. */
export const CircuitBreakerOverride = z.strictObject({
  enabled: z.boolean().optional(),
  failure_rate: FailureRate.optional(),
  min_calls: MinCalls.optional(),
  window: requiredDuration().refine(isSome, SOME).optional(),
  open_for: requiredDuration().refine(isSome, SOME).optional(),
  probes: Probes.optional(),
})

/** Times in milliseconds. */
export type CircuitBreakerConfig = CamelCased<z.output<typeof CircuitBreakerSettings>>

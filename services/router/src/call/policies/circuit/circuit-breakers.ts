/** Keeps the circuit breakers of a router. */
import type { CircuitBreakerConfig } from './settings.ts'
import type { CircuitEvents } from './events.ts'
import type { Lease } from '../../../memory/leased-values.ts'
import type { PerSubgraph } from '../../../settings/per-subgraph.ts'
import { SubgraphPolicies } from '../subgraph-policies.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

type Settings = { readonly circuitBreaker: CircuitBreakerConfig }
type Events = Pick<CircuitEvents, 'of'>

/**
 * The circuit breakers, one for each subgraph and origin. All compositions that have the subgraph share it.
 */
export class CircuitBreakers extends SubgraphPolicies<Settings, Events, CircuitBreaker> {
  constructor(config: PerSubgraph<Settings>, events: Events, before: CircuitBreakers | null = null) {
    super(config, events, before, (breaker) => breaker[Symbol.dispose]())
  }

  /** Returns the circuit breaker of a subgraph at an origin. Null if the settings switch it off. */
  lease(subgraph: string, origin: string): Lease<CircuitBreaker> | null {
    const { circuitBreaker: config } = this.configOf(subgraph)
    if (!config.enabled) return null
    // An origin has no space in it.
    const key = `${origin} ${subgraph} ${JSON.stringify(config)}`
    return this.policies.lease(key, () => new CircuitBreaker(config, this.events.of(subgraph)))
  }
}

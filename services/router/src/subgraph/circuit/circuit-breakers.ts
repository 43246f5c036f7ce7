/** The circuit breakers of a router. */
import type { SubgraphsConfig } from '../../config/router-config.ts'
import type { CircuitEvents } from '../../observe/circuit-events.ts'
import { type Lease, LeasedValues } from '../leased-values.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

/** One for each subgraph and origin, shared by all compositions in which it is there. */
export class CircuitBreakers {
  readonly #config: SubgraphsConfig
  readonly #events: CircuitEvents
  readonly #breakers = new LeasedValues<CircuitBreaker>((breaker) => breaker[Symbol.dispose]())

  constructor(config: SubgraphsConfig, events: CircuitEvents) {
    this.#config = config
    this.#events = events
  }

  /** null: the subgraph is always called. */
  lease(subgraph: string, origin: string): Lease<CircuitBreaker> | null {
    const config = this.#config.circuitBreakerBySubgraph.get(subgraph) ?? this.#config.circuitBreaker
    if (!config.enabled) return null
    // An origin has no space in it.
    const key = `${origin} ${subgraph}`
    return this.#breakers.lease(key, () => new CircuitBreaker(config, this.#events.of(subgraph)))
  }
}

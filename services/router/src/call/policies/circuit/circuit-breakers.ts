/** Keeps the circuit breakers of a router. */
import { type PerSubgraph, subgraphConfigOf } from '../../../settings/per-subgraph.ts'
import type { CircuitBreakerConfig } from './settings.ts'
import type { CircuitEvents } from './events.ts'
import { type Lease, LeasedValues } from '../../../memory/leased-values.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

type Settings = PerSubgraph<{ readonly circuitBreaker: CircuitBreakerConfig }>

/**
 * The circuit breakers, one for each subgraph and origin. All compositions that have the subgraph share it.
 */
export class CircuitBreakers {
  readonly #config: Settings
  readonly #events: CircuitEvents
  readonly #breakers: LeasedValues<CircuitBreaker>

  /**
   * `before` are the circuit breakers of the settings before. Those whose settings have not changed go on.
   */
  constructor(config: Settings, events: CircuitEvents, before: CircuitBreakers | null = null) {
    this.#config = config
    this.#events = events
    this.#breakers =
      before === null ? new LeasedValues((breaker) => breaker[Symbol.dispose]()) : before.#breakers
  }

  /** Returns the circuit breaker of a subgraph at an origin. Null if the settings switch it off. */
  lease(subgraph: string, origin: string): Lease<CircuitBreaker> | null {
    const { circuitBreaker: config } = subgraphConfigOf(this.#config, subgraph)
    if (!config.enabled) return null
    // An origin has no space in it.
    const key = `${origin} ${subgraph} ${JSON.stringify(config)}`
    return this.#breakers.lease(key, () => new CircuitBreaker(config, this.#events.of(subgraph)))
  }
}

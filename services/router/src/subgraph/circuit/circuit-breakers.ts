/** The circuit breakers of a router. */
import { type SubgraphsConfig, subgraphConfigOf } from '../settings.ts'
import type { CircuitEvents } from './events.ts'
import { type Lease, LeasedValues } from '../leased-values.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

/** One for each subgraph and origin, shared by all compositions in which it is there. */
export class CircuitBreakers {
  readonly #config: SubgraphsConfig
  readonly #events: CircuitEvents
  readonly #breakers: LeasedValues<CircuitBreaker>

  /** `before`: has those that go on where their settings are the same. */
  constructor(config: SubgraphsConfig, events: CircuitEvents, before: CircuitBreakers | null = null) {
    this.#config = config
    this.#events = events
    this.#breakers =
      before === null ? new LeasedValues((breaker) => breaker[Symbol.dispose]()) : before.#breakers
  }

  /** null: the subgraph is always called. */
  lease(subgraph: string, origin: string): Lease<CircuitBreaker> | null {
    const { circuitBreaker: config } = subgraphConfigOf(this.#config, subgraph)
    if (!config.enabled) return null
    // An origin has no space in it.
    const key = `${origin} ${subgraph} ${JSON.stringify(config)}`
    return this.#breakers.lease(key, () => new CircuitBreaker(config, this.#events.of(subgraph)))
  }
}

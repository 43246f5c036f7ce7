/**
 * Which calls are made a second time while the first one lasts, by subgraph: a budget for each, shared by all
 * compositions that have a subgraph of this name, and kept for as long as one of them is in memory.
 */
import type { HedgeConfig } from './settings.ts'
import { type SubgraphsConfig, subgraphConfigOf } from '../settings.ts'
import type { HedgeEvents, SubgraphHedgeEvents } from './events.ts'
import { type Lease, LeasedValues } from '../leased-values.ts'
import { RetryBudget } from '../retry/retry-budget.ts'

/** By what rules calls of one subgraph are made a second time. */
export type HedgePolicy = {
  readonly config: HedgeConfig
  readonly budget: RetryBudget
  readonly events: SubgraphHedgeEvents
}

/** The policies of a router. */
export class Hedges {
  readonly #config: SubgraphsConfig
  readonly #events: HedgeEvents
  readonly #policies: LeasedValues<HedgePolicy>

  /** `before`: has those that go on where their settings are the same. */
  constructor(config: SubgraphsConfig, events: HedgeEvents, before: Hedges | null = null) {
    this.#config = config
    this.#events = events
    this.#policies = before === null ? new LeasedValues() : before.#policies
  }

  /** null: each call of the subgraph is made once. */
  lease(subgraph: string): Lease<HedgePolicy> | null {
    const { hedge: config } = subgraphConfigOf(this.#config, subgraph)
    if (!config.enabled) return null
    return this.#policies.lease(`${subgraph} ${JSON.stringify(config)}`, () => ({
      config,
      budget: new RetryBudget(config.budget),
      events: this.#events.of(subgraph),
    }))
  }
}

/**
 * Decides which calls of a subgraph are hedged. Each subgraph has one budget, which all compositions with a
 * subgraph of this name share, and which is kept for as long as one of them is in memory.
 */
import type { HedgeConfig } from './settings.ts'
import { type PerSubgraph, subgraphConfigOf } from '../../../settings/per-subgraph.ts'
import type { HedgeEvents, SubgraphHedgeEvents } from './events.ts'
import { type Lease, LeasedValues } from '../../../memory/leased-values.ts'
import { RetryBudget } from '../retry/retry-budget.ts'

type Settings = PerSubgraph<{ readonly hedge: HedgeConfig }>

/** The rules for hedging the calls of one subgraph. */
export type HedgePolicy = {
  readonly config: HedgeConfig
  readonly budget: RetryBudget
  readonly events: SubgraphHedgeEvents
}

/** The hedging policies of a router. */
export class Hedges {
  readonly #config: Settings
  readonly #events: HedgeEvents
  readonly #policies: LeasedValues<HedgePolicy>

  /** `before` are the policies of the settings before. Those whose settings have not changed go on. */
  constructor(config: Settings, events: HedgeEvents, before: Hedges | null = null) {
    this.#config = config
    this.#events = events
    this.#policies = before === null ? new LeasedValues() : before.#policies
  }

  /** Returns the policy of a subgraph. Null if its calls are not hedged. */
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

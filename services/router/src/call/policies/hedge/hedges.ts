/**
 * Decides which calls of a subgraph are hedged. Each subgraph has one budget, which all compositions with a
 * subgraph of this name share, and which is kept for as long as one of them is in memory.
 */
import type { HedgeConfig } from './settings.ts'
import type { HedgeEvents, SubgraphHedgeEvents } from './events.ts'
import type { Lease } from '../../../memory/leased-values.ts'
import { SubgraphPolicies } from '../subgraph-policies.ts'
import { RetryBudget } from '../retry/retry-budget.ts'

type Settings = { readonly hedge: HedgeConfig }

/** The rules for hedging the calls of one subgraph. */
export type HedgePolicy = {
  readonly config: HedgeConfig
  readonly budget: RetryBudget
  readonly events: SubgraphHedgeEvents
}

/** The hedging policies of a router. */
export class Hedges extends SubgraphPolicies<Settings, Pick<HedgeEvents, 'of'>, HedgePolicy> {
  /** Returns the policy of a subgraph. Null if its calls are not hedged. */
  lease(subgraph: string): Lease<HedgePolicy> | null {
    const { hedge: config } = this.configOf(subgraph)
    if (!config.enabled) return null
    return this.policies.lease(`${subgraph} ${JSON.stringify(config)}`, () => ({
      config,
      budget: new RetryBudget(config.budget),
      events: this.events.of(subgraph),
    }))
  }
}

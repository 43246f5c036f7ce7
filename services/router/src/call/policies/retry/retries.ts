/**
 * Decides who may retry failed calls of a subgraph. Each subgraph has one budget, which all compositions with
 * a subgraph of this name share, and which is kept for as long as one of them is in memory.
 */
import type { RetryConfig } from './settings.ts'
import type { RetryEvents, RetryReason, SubgraphRetryEvents } from './events.ts'
import type { Lease } from '../../../memory/leased-values.ts'
import { SubgraphPolicies } from '../subgraph-policies.ts'
import { RetryBudget } from './retry-budget.ts'

type Settings = { readonly retry: RetryConfig }

export type { RetryReason }

/** The rules for retrying the calls of one subgraph. */
export type RetryPolicy = {
  readonly config: RetryConfig
  readonly budget: RetryBudget
  readonly events: SubgraphRetryEvents
}

/** The retry policies of a router. */
export class Retries extends SubgraphPolicies<Settings, Pick<RetryEvents, 'of'>, RetryPolicy> {
  /** Returns the policy of a subgraph. Null if its failed calls are not retried. */
  lease(subgraph: string): Lease<RetryPolicy> | null {
    const { retry: config } = this.configOf(subgraph)
    if (config.maxRetries === 0) return null
    const key = `${subgraph} ${JSON.stringify({ ...config, statuses: [...config.statuses] })}`
    return this.policies.lease(key, () => ({
      config,
      budget: new RetryBudget(config.budget),
      events: this.events.of(subgraph),
    }))
  }
}

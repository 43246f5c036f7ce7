/**
 * Decides who may retry failed calls of a subgraph. Each subgraph has one budget, which all compositions with
 * a subgraph of this name share, and which is kept for as long as one of them is in memory.
 */
import type { RetryConfig } from './settings.ts'
import { type PerSubgraph, subgraphConfigOf } from '../../../settings/per-subgraph.ts'
import type { RetryEvents, RetryReason, SubgraphRetryEvents } from './events.ts'
import { type Lease, LeasedValues } from '../../../memory/leased-values.ts'
import { RetryBudget } from './retry-budget.ts'

type Settings = PerSubgraph<{ readonly retry: RetryConfig }>

export type { RetryReason }

/** The rules for retrying the calls of one subgraph. */
export type RetryPolicy = {
  readonly config: RetryConfig
  readonly budget: RetryBudget
  readonly events: SubgraphRetryEvents
}

/** The retry policies of a router. */
export class Retries {
  readonly #config: Settings
  readonly #events: RetryEvents
  readonly #policies: LeasedValues<RetryPolicy>

  /** `before` are the policies of the settings before. Those whose settings have not changed go on. */
  constructor(config: Settings, events: RetryEvents, before: Retries | null = null) {
    this.#config = config
    this.#events = events
    this.#policies = before === null ? new LeasedValues() : before.#policies
  }

  /** Returns the policy of a subgraph. Null if its failed calls are not retried. */
  lease(subgraph: string): Lease<RetryPolicy> | null {
    const { retry: config } = subgraphConfigOf(this.#config, subgraph)
    if (config.maxRetries === 0) return null
    const key = `${subgraph} ${JSON.stringify({ ...config, statuses: [...config.statuses] })}`
    return this.#policies.lease(key, () => ({
      config,
      budget: new RetryBudget(config.budget),
      events: this.#events.of(subgraph),
    }))
  }
}

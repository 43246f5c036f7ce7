/**
 * Who may make failed calls again, by subgraph: a budget for each, shared by all compositions that have a
 * subgraph of this name, and kept for as long as one of them is in memory.
 */
import type { RetryConfig } from './settings.ts'
import { type SubgraphsConfig, subgraphConfigOf } from '../settings.ts'
import type { RetryEvents, RetryReason, SubgraphRetryEvents } from './events.ts'
import { type Lease, LeasedValues } from '../leased-values.ts'
import { RetryBudget } from './retry-budget.ts'

export type { RetryReason }

/** By what rules calls of one subgraph are made again. */
export type RetryPolicy = {
  readonly config: RetryConfig
  readonly budget: RetryBudget
  readonly events: SubgraphRetryEvents
}

/** The policies of a router. */
export class Retries {
  readonly #config: SubgraphsConfig
  readonly #events: RetryEvents
  readonly #policies: LeasedValues<RetryPolicy>

  /** `before`: has those that go on where their settings are the same. */
  constructor(config: SubgraphsConfig, events: RetryEvents, before: Retries | null = null) {
    this.#config = config
    this.#events = events
    this.#policies = before === null ? new LeasedValues() : before.#policies
  }

  /** null: failed calls of the subgraph are not made again. */
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

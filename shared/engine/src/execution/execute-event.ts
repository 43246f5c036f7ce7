/**
 * Executes a subscription: its source is opened once, and each event of the source is the answer to the
 * plan's one fetch of kind `subscription` (https://spec.graphql.org/draft/#sec-Subscription). What other
 * subgraphs add to the event is fetched for each event.
 */
import type { Graph } from '../graph/graph.ts'
import type { Plan } from '../plan/contract/plan.ts'
import type { ExecuteOptions } from './contract/options.ts'
import type { ExecutionResult } from './contract/response.ts'
import type { FetchFunction, SubgraphRequest } from './contract/subgraph-calls.ts'
import { execute, type Execution } from './execute.ts'
import { RequestBodies } from './fetching/request-body.ts'
import { preparePlan } from './joining/prepared-plan.ts'

/**
 * Returns the request that opens the source of a subscription's events. Null if the plan has none: the root
 * field may not be seen, or is left out by `@skip` or `@include`. Then `execute` makes the only result.
 */
export function sourceRequest(
  graph: Graph,
  plan: Plan,
  variables: ReadonlyMap<string, unknown>,
): SubgraphRequest | null {
  const fetch = plan.fetches.find(({ operation }) => operation === 'subscription')
  if (fetch === undefined) return null
  const body = new RequestBodies(preparePlan(plan), variables).render(fetch, new Map())
  return { fetch, subgraph: graph.compiled.subgraphs[fetch.subgraph]?.name ?? String(fetch.subgraph), body }
}

/**
 * Executes a subscription for one event, which the executor does not change. `event` is the response of the
 * source's subgraph as parsed JSON. Everything else is as `execute` describes it.
 */
export function executeEvent(
  graph: Graph,
  options: ExecuteOptions,
  event: unknown,
  done: (result: ExecutionResult, weight: number, cost: number | null) => void,
): Execution {
  const fetch: FetchFunction = (request, answered) => {
    if (request.fetch.operation !== 'subscription') return options.fetch(request, answered)
    answered({ kind: 'answer', status: 200, body: event })
  }
  return execute(graph, { ...options, fetch }, done)
}

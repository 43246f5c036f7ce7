/** Refuses operations that are expected to cost more than they may, before any subgraph is called. */
import {
  type AnswerCost,
  type CostAssumptions,
  type Graph,
  type OperationCost,
  OperationCosts,
  type Plan,
} from '@switchyard/engine'
import type { CostsConfig } from './settings.ts'
import { HttpError } from '../../errors/http-error.ts'

/** Values of variables, coerced. */
type Variables = ReadonlyMap<string, unknown>

/** Whose limit an operation exceeds. */
export type ExceededLimit = 'operation' | 'client' | 'subgraph'

/** The estimated cost of an operation, and the decision about it. */
export type CostVerdict = {
  readonly estimated: number
  /** The limit that the operation exceeds; null if it exceeds none. */
  readonly exceeded: ExceededLimit | null
  /** The error that refuses the operation; null if the operation is executed. */
  readonly refusal: HttpError | null
}

/** The limits of a router. */
export class CostLimits {
  readonly #config: CostsConfig
  readonly #assumptions: CostAssumptions
  readonly #costs = new WeakMap<Graph, OperationCosts>()

  constructor(config: CostsConfig) {
    this.#config = config
    this.#assumptions = { listSize: config.listSize, mutation: config.mutation }
  }

  /** Returns the name of the client if it has a limit of its own, or null if it has the limit for all. */
  limitedName(client: string): string | null {
    return this.#config.mode === 'enforce' && this.#config.maxByClient.has(client) ? client : null
  }

  /**
   * Estimates the operation and compares it with the limits. `client` is the name that the client gives
   * itself.
   */
  judge(graph: Graph, plan: Plan, variables: Variables, client: string): CostVerdict {
    const cost = this.#costsOf(graph).estimate(plan, variables)
    const found = this.#exceeded(graph, cost, client)
    const estimated = cost.total
    if (this.#config.mode !== 'enforce') return { estimated, exceeded: found?.limit ?? null, refusal: null }
    if (found !== null) return { estimated, exceeded: found.limit, refusal: found.refusal }
    return { estimated, exceeded: null, refusal: this.#wrongSlicing(cost) }
  }

  /** Counts what an answer costs, while it is made. */
  answer(graph: Graph, plan: Plan, variables: Variables): AnswerCost {
    return this.#costsOf(graph).answer(plan, variables)
  }

  /**
   * Returns the error for slicing arguments that leave the cost of the operation open; null if they do not.
   */
  #wrongSlicing({ unsliced: [unsliced], unbounded: [unbounded] }: OperationCost): HttpError | null {
    if (unsliced !== undefined)
      return new HttpError(
        'COST_INVALID_SLICING_ARGUMENTS',
        `${unsliced} must be given exactly one of the arguments that say how many items it returns (@listSize): nobody knows otherwise what the operation costs.`,
      )
    if (unbounded === undefined || !this.#config.refusesNullSlicing) return null
    return new HttpError(
      'COST_INVALID_SLICING_ARGUMENTS',
      `${unbounded} is given null or a negative number where it is told how many items to return (@listSize): nobody knows then how many it returns. Give a number of zero or more.`,
    )
  }

  #exceeded(
    graph: Graph,
    { total, bySubgraph }: OperationCost,
    client: string,
  ): { readonly limit: ExceededLimit; readonly refusal: HttpError } | null {
    const { max, maxByClient, maxBySubgraph, showSubgraphNames } = this.#config
    const ownMax = maxByClient.get(client)
    if (ownMax !== undefined && total > ownMax)
      return { limit: 'client', refusal: tooMuch('The operation', total, ownMax, ' for this client') }
    if (max !== null && total > max)
      return { limit: 'operation', refusal: tooMuch('The operation', total, max) }
    if (maxBySubgraph.size === 0) return null
    for (const [subgraph, cost] of bySubgraph) {
      const name = graph.compiled.subgraphs[subgraph]?.name ?? ''
      const most = maxBySubgraph.get(name)
      if (most === undefined || cost <= most) continue
      const what = showSubgraphNames
        ? `What the operation asks of subgraph "${name}"`
        : 'What the operation asks of one part of the graph'
      return { limit: 'subgraph', refusal: tooMuch(what, cost, most) }
    }
    return null
  }

  #costsOf(graph: Graph): OperationCosts {
    let costs = this.#costs.get(graph)
    if (costs === undefined) {
      costs = new OperationCosts(graph, this.#assumptions)
      this.#costs.set(graph, costs)
    }
    return costs
  }
}

function tooMuch(what: string, cost: number, most: number, whose = ''): HttpError {
  return new HttpError(
    'COST_ESTIMATED_TOO_EXPENSIVE',
    `${what} is expected to cost ${rounded(cost)}, and at most ${rounded(most)} is allowed${whose}. Ask for fewer fields, or for shorter lists.`,
  )
}

function rounded(cost: number): string {
  return String(Math.round(cost * 100) / 100)
}

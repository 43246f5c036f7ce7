/**
 * Computes what operations cost, before they are executed and after (https://specs.apollo.dev/cost/v0.1,
 * after https://ibm.github.io/graphql-specs/cost-spec.html).
 *
 * Both costs are one sum over the shape of the response: a field costs its arguments, and for each of its
 * items the weight of the field and of the fields selected below it. The estimate takes the number of items
 * from arguments, `@listSize` or an assumption; after the execution the items are counted. Where the type of
 * an object is not known, the dearest possible type counts.
 */
import type { Graph } from '../graph/graph.ts'
import type { Plan } from '../plan/contract/plan.ts'
import { AnswerCost } from './answer-cost.ts'
import type { CostVariables } from './argument-costs.ts'
import { type OperationCost, PlanCosts } from './plan-costs.ts'
import { PlanFacts } from './plan-facts.ts'
import type { CostAssumptions } from './weights.ts'

export type { AnswerCost, CostAssumptions, OperationCost }

/** Computes the costs of the plans of one graph. */
export class OperationCosts {
  readonly #graph: Graph
  readonly #assumed: CostAssumptions
  readonly #plans = new WeakMap<Plan, PlanCosts>()
  readonly #facts = new WeakMap<Plan, PlanFacts>()

  constructor(graph: Graph, assumed: CostAssumptions) {
    this.#graph = graph
    this.#assumed = assumed
  }

  /** Returns the estimated cost of the plan with these variables. */
  estimate(plan: Plan, variables: CostVariables): OperationCost {
    let costs = this.#plans.get(plan)
    if (costs === undefined) {
      costs = new PlanCosts(this.#graph, plan, this.#assumed)
      this.#plans.set(plan, costs)
    }
    return costs.estimate(variables)
  }

  /** Counts what an answer costs that is made now, as a whole or part by part. */
  answer(plan: Plan, variables: CostVariables): AnswerCost {
    let facts = this.#facts.get(plan)
    if (facts === undefined) {
      facts = new PlanFacts(this.#graph, plan)
      this.#facts.set(plan, facts)
    }
    return new AnswerCost(plan, facts, variables, this.#assumed.mutation)
  }
}

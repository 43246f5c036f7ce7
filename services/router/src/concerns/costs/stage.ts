/** Checks the expected cost of an operation before it is executed. */
import type { Graph, Plan } from '@switchyard/engine'
import type { Arrived } from '../../request/arrived.ts'
import type { CostLimits } from './cost-limits.ts'
import type { Stage } from '../../request/stage.ts'

/** The facts about a request that its cost follows from. */
type Costly = Arrived & {
  readonly plan: Plan
  readonly variables: ReadonlyMap<string, unknown>
  readonly held: { readonly generation: { readonly graph: Graph } }
}

/** Throws HttpError if the operation costs more than it may. */
export function checkCost(limits: CostLimits): Stage<Costly> {
  return {
    waitsFor: null,
    run: ({ exchange: { report, named }, plan, variables, held: { generation } }) => {
      const { estimated, exceeded, refusal } = limits.judge(generation.graph, plan, variables, named.name)
      report.costEstimated(estimated, exceeded)
      if (refusal !== null) throw refusal
      return undefined
    },
  }
}

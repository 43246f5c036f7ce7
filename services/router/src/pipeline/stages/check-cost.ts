/** Checks the expected cost of an operation before it is executed. */
import type { CostLimits } from '../../concerns/costs/cost-limits.ts'
import type { Stage } from '../../request/stage.ts'
import type { Planned } from './plan-operation.ts'

/** Throws HttpError if the operation costs more than it may. */
export function checkCost(limits: CostLimits): Stage<Planned> {
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

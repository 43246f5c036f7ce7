/** Checks the expected cost of an operation before it is executed. */
import type { Plan } from '@switchyard/engine'
import type { CostLimits } from '../../costs/cost-limits.ts'
import type { HeldGeneration } from '../../generations/generations.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { VariableValues } from './prepare-operation.ts'

/** Throws HttpError if the operation costs more than it may. */
export function checkCost(
  { report, named }: Exchange,
  plan: Plan,
  variables: VariableValues,
  { generation }: HeldGeneration,
  limits: CostLimits,
): void {
  const { estimated, exceeded, refusal } = limits.judge(generation.graph, plan, variables, named.name)
  report.costEstimated(estimated, exceeded)
  if (refusal !== null) throw refusal
}

/**
 * Prepares the most used operations of a generation for the one that replaces it, each with the plan it used
 * last. This happens before the swap, so that the first requests are as fast as the last ones before. One
 * operation is prepared per turn of the event loop, so requests go on.
 */
import { setImmediate } from 'node:timers/promises'
import { ROUTER_ITSELF } from '../../fairness/client.ts'
import type { GraphPlanner } from '../../planning/planning.ts'
import type { OperationCache } from '../../operation/operation-cache.ts'

/** The operations of a generation and what plans them. */
export type WarmUpTarget = { readonly operations: OperationCache; readonly planner: GraphPlanner }

/** Resolves with how many operations were warmed, of `count` that are tried. `signal` ends it early. */
export async function warmUp(
  from: OperationCache,
  { operations, planner }: WarmUpTarget,
  count: number,
  signal: AbortSignal,
): Promise<number> {
  let warmed = 0
  for (const { document, operationName, uses, plans } of from.hottest(count)) {
    const variant = plans.latest
    if (variant === null) continue
    await setImmediate()
    if (signal.aborted) break
    try {
      const entry = operations.get(document, operationName)
      const labels = new Set(entry.operation.overrideLabels.filter((label) => variant.labels.has(label)))
      // The numbers of conditions differ between compositions: most requests may see what they ask for.
      const granted = new Set(entry.operation.accessConditions)
      const { conditions, isWhole } = variant
      await planner.plan(entry, conditions, { labels, granted, isWhole }, () => ROUTER_ITSELF)
      // The counts of uses are carried over, halved at each swap, so that an operation that is no longer used
      // fades.
      entry.uses = Math.ceil(uses / 2)
      warmed++
    } catch {
      // The new graph may lack what this operation asks for; its next request will be answered with that
      // error.
    }
  }
  return warmed
}

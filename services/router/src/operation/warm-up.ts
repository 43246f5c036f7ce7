/**
 * Prepares and plans the hottest operations of a generation for the one that replaces it, before the swap, so that its first
 * requests are as fast as the last ones of the old. One operation per turn of the event loop: requests go on.
 */
import { setImmediate } from 'node:timers/promises'
import type { OperationCache } from './operation-cache.ts'

export async function warmUp(
  from: OperationCache,
  to: OperationCache,
  count: number,
  signal: AbortSignal,
): Promise<number> {
  let warmed = 0
  for (const { document, operationName, conditions, uses } of from.hottest(count)) {
    await setImmediate()
    if (signal.aborted) break
    try {
      const entry = to.get(document, operationName)
      entry.operation.plan(conditions)
      entry.conditions = conditions
      // What was hot stays hot for a while, and fades with every swap.
      entry.uses = Math.ceil(uses / 2)
      warmed++
    } catch {
      // The new graph may have lost what this operation asks for; its next request gets to hear it.
    }
  }
  return warmed
}

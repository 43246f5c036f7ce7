/**
 * Which known limit of stitching a wrong answer of the stitched gateway belongs to.
 *
 * This only names a mistake that was already shown to be the stitched gateway's: one server with the same
 * values has answered as the engine did. Hence it may look at what the question touches, and need not find
 * the cause.
 */
import type { Graph, Plan } from '@switchyard/engine'
import type { ResponsePath, StitchingLimitId } from '@switchyard/second-opinion'
import { fieldsAt } from './response-fields.ts'
import { SelectedField } from './selected-field.ts'

/** Returns the limit that a wrong answer at a path belongs to. Null if it belongs to none. */
export type LimitOf = (plan: Plan, path: ResponsePath) => StitchingLimitId | null

/** The first that applies is named. */
const RULES: readonly (readonly [StitchingLimitId, (field: SelectedField) => boolean])[] = [
  ['abstract-requires', (field) => field.requiresAbstract],
  ['interface-objects', (field) => field.isBehindInterfaceObject],
  ['requires-detours', (field) => field.isRequiring],
  ['provides', (field) => field.isProvided],
  ['values-below-entities', (field) => field.isOfSplitValue],
  ['shared-mutations', (field) => field.isSharedMutation],
  ['keys-with-lists', (field) => field.isKeyedByLists],
  ['abstract-nulls', (field) => field.meetsAbstractType],
]

/** Prepares a graph once for many answers. */
export function limitFinder(graph: Graph): LimitOf {
  return (plan, path) => {
    const { along, below } = fieldsAt(plan, path)
    // What is nearest to the place says most about it.
    for (const near of [along.slice(-1), below, along]) {
      const fields = near.map((field) => new SelectedField(graph, field))
      for (const [limit, applies] of RULES) if (fields.some(applies)) return limit
    }
    return null
  }
}

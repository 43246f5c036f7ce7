/** What remained of an operation after every source was asked, told by the client's paths. */
import { type Graph, typeOf } from '../graph/graph.ts'
import type { FieldGoal, Goal, Selection } from '../operation/normalised.ts'
import type { Budget } from './budget.ts'
import type { TypeId, Unreachable } from './plan.ts'

/** `coordinate`: the field is missing as a whole for that type. `rests`: parts of it are. */
type Missing = { coordinate: string | null; readonly rests: Set<Selection> }

/**
 * One entry for each path, with the first of the object types that lack the field. Types share what is missing below
 * them, so it is looked at once for each path: type by type would be exponential in the depth.
 */
export function unreachableFields(
  graph: Graph,
  rootType: TypeId,
  residual: readonly FieldGoal[],
  budget: Budget,
): readonly Unreachable[] {
  const found: Unreachable[] = []
  const visit = (place: Iterable<readonly [TypeId, readonly Goal[]]>, path: readonly string[]): void => {
    const missing = new Map<string, Missing>()
    for (const [type, goals] of place) {
      budget.step(goals.length)
      for (const goal of goals) {
        if (goal.kind !== 'field') continue
        const known = missing.get(goal.key) ?? { coordinate: null, rests: new Set() }
        missing.set(goal.key, known)
        if (goal.child !== null && goal.whole !== null) known.rests.add(goal.child)
        else known.coordinate ??= `${typeOf(graph, type).name}.${goal.name}`
      }
    }
    for (const [key, { coordinate, rests }] of missing) {
      const here = [...path, key]
      if (coordinate !== null) found.push({ path: here, coordinate })
      if (rests.size > 0)
        visit(
          [...rests].flatMap((rest) => [...rest.byType]),
          here,
        )
    }
  }
  visit([[rootType, residual]], [])
  return found
}

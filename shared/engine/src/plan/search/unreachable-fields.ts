/** Lists the fields of an operation that no subgraph answers, by their response paths. */
import { type Graph, typeOf } from '../../graph/graph.ts'
import type { Goal, Selection } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import { TYPENAME } from './key-goals.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { Unreachable } from '../contract/plan.ts'

/** The missing parts of the field under one response key. */
type MissingField = {
  /** The field, of the first object type that lacks all of it; null if every type has a part of it. */
  coordinate: string | null
  /** Missing selections below the field, from types that have a part of it. */
  readonly rests: Set<Selection>
}

/**
 * One entry for each path, with the first of the object types that lack the field. Types share what is
 * missing below them, so it is looked at once for each path: type by type would be exponential in the depth.
 *
 * Where the client does not ask for `__typename` itself, but the plan needs the type to know what to fetch,
 * a missing type stands at the path of the objects.
 */
export function unreachableFields(
  graph: Graph,
  rootType: TypeId,
  unanswered: readonly Goal[],
  budget: Budget,
): readonly Unreachable[] {
  const found: Unreachable[] = []
  const collectFrom = (place: Iterable<Selection>, path: readonly string[]): void => {
    const missing = new Map<string, MissingField>()
    const untyped = new Map<string, string>()
    for (const [declared, type, goals] of typesOf(place)) {
      budget.step(goals.length)
      for (const goal of goals) {
        if (goal.kind === 'introspection' || goal.kind === 'denied') continue
        if (goal.kind === 'typename') {
          const where = goal === TYPENAME ? path : [...path, goal.key]
          untyped.set(JSON.stringify(where), `${typeOf(graph, declared).name}.__typename`)
          continue
        }
        const known = missing.get(goal.key) ?? { coordinate: null, rests: new Set() }
        missing.set(goal.key, known)
        if (goal.child !== null && goal.whole !== null) known.rests.add(goal.child)
        else known.coordinate ??= `${typeOf(graph, type).name}.${goal.name}`
      }
    }
    for (const [where, coordinate] of untyped) found.push({ path: JSON.parse(where), coordinate })
    for (const [key, { coordinate, rests }] of missing) {
      const here = [...path, key]
      if (coordinate !== null) found.push({ path: here, coordinate })
      if (rests.size > 0) collectFrom(rests, here)
    }
  }
  collectFrom([{ type: rootType, byType: new Map([[rootType, unanswered]]) }], [])
  return found
}

function* typesOf(place: Iterable<Selection>): Generator<readonly [TypeId, TypeId, readonly Goal[]]> {
  for (const { type, byType } of place)
    for (const [object, goals] of byType) yield [type, object, goals] as const
}

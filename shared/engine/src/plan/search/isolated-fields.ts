/**
 * Finds the fields that must not be selected beside others behind an interface object.
 *
 * The subgraph of an interface object does not know the runtime types, so whatever is selected is selected
 * for objects of all types. A non-null field that fails nulls the whole object, even for a client that wanted
 * this field only of objects of another type. Such fields are asked for by a call of their own, made only for
 * objects of the right types.
 */
import { fieldOf, presenceOf } from '../../graph/graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { Node, QueryGraph } from '../../graph/moves/query-graph.ts'

/**
 * Goals of a selection behind an interface object that are non-null there and not wanted of every type.
 * Fields of its keys do not count: without them nothing can be had of the object.
 */
export function isolatedGoals(
  queryGraph: QueryGraph,
  node: Node,
  selection: Selection,
): ReadonlySet<FieldGoal> {
  const wantedOf = new Map<string, number>()
  const risky: FieldGoal[] = []
  const keys = presenceOf(queryGraph.graph, node.type, node.sub)?.keys ?? []
  const keyFields = new Set(
    keys.flatMap(({ fieldSet }) => fieldSet.map((item) => (item.kind === 'field' ? item.name : ''))),
  )
  for (const goals of selection.byType.values())
    for (const goal of goals) {
      if (goal.kind !== 'field' || keyFields.has(goal.name)) continue
      if (!isNonNullBehindOne(queryGraph, node.type, goal.name)) continue
      wantedOf.set(textOf(goal), (wantedOf.get(textOf(goal)) ?? 0) + 1)
      risky.push(goal)
    }
  return new Set(risky.filter((goal) => (wantedOf.get(textOf(goal)) ?? 0) < selection.byType.size))
}

function isNonNullBehindOne({ graph }: QueryGraph, type: TypeId, name: string): boolean {
  const edges = fieldOf(graph, type, name)?.edges ?? []
  return edges.some(
    (edge) => edge.type.nonNull && presenceOf(graph, type, edge.sub)?.interfaceObject === true,
  )
}

function textOf(goal: FieldGoal): string {
  return `${goal.key}:${goal.name}${goal.args}`
}

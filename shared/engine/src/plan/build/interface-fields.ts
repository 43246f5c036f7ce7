/**
 * Finds fields that are selected on an interface itself, although its object types declare them with a
 * narrower type.
 *
 * Written type by type, `[Node]` of one type and `[Node]!` of another are two fields with different response
 * keys, each with everything below it: the document would double with every level.
 */
import type { TypeRef } from '../../graph/compiled/compiled-graph.ts'
import { fieldOf, type Graph, typeOf } from '../../graph/graph.ts'
import { namedType } from '../../graph/compiled/named-type.ts'
import type { FieldGoal } from '../../operation/normalise/normalised.ts'
import type { Node } from '../../graph/moves/query-graph.ts'
import { type SelectionSolution, targetOf } from '../search/solution.ts'

const NONE: ReadonlyMap<string, TypeRef> = new Map()

/**
 * The types that the source's interface declares, by the texts of goals: of fields that all object types of
 * the interface are asked for, and that lead to the same node. They lead to different nodes where only one
 * type's field has a `@provides`.
 */
export function interfaceFieldTypes(
  graph: Graph,
  { node, byType }: SelectionSolution,
  textOf: (goal: FieldGoal) => string,
): ReadonlyMap<string, TypeRef> {
  if (node.interfaceObject || typeOf(graph, node.type).kind !== 'interface') return NONE
  if (byType.size < node.runtime.length) return NONE
  const asked = new Map<string, number>()
  const onInterface = new Map<string, TypeRef>()
  const targets = new Map<string, Node | null>()
  for (const { answers } of byType.values()) {
    const counted = new Set<string>()
    for (const answer of answers) {
      const { goal, call, edge } = answer
      const to = targetOf(answer)
      const key = textOf(goal.whole ?? goal)
      if (call !== null || counted.has(key)) continue
      counted.add(key)
      const declared = fieldOf(graph, node.type, goal.name)?.edges.find(({ sub }) => sub === node.sub)?.type
      if (declared === undefined || namedType(declared) !== namedType(edge.type)) continue
      if ((targets.get(key) ?? to) !== to) continue
      targets.set(key, to)
      asked.set(key, (asked.get(key) ?? 0) + 1)
      onInterface.set(key, declared)
    }
  }
  for (const [key, count] of asked) if (count < node.runtime.length) onInterface.delete(key)
  return onInterface
}

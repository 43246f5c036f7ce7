import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'
import { type Authorization, meets } from '../graph/access/access-table.ts'
import { fieldOf, type Graph } from '../graph/graph.ts'
import { namedType } from '../graph/compiled/named-type.ts'
import type { TypeId } from '../ids/ids.ts'
import { fragmentsOf } from './fragments.ts'

/**
 * The conditions that decide what of an operation may be seen: those of every field that it reaches, for
 * every object type that may be there. Numbers of `graph.access`, ascending; none if nothing protected is
 * reached.
 */
export function accessConditions(
  graph: Graph,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly number[] {
  const { access } = graph
  if (access === null) return []
  const fragments = fragmentsOf(document)
  const found = new Set<number>()
  const seen = new Set<string>()
  const root: TypeId = graph.compiled.roots[operation.operation]
  const waiting: { readonly set: SelectionSetNode; readonly type: TypeId }[] = [
    { set: operation.selectionSet, type: root },
  ]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { set, type } = at
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        for (const number of access.ofAnyObject(type, node.name.value)) found.add(number)
        const field = fieldOf(graph, type, node.name.value)
        if (node.selectionSet !== undefined && field !== undefined)
          waiting.push({ set: node.selectionSet, type: namedType(field.type) })
        continue
      }
      const isSpread = node.kind === Kind.FRAGMENT_SPREAD
      if (isSpread && seen.has(node.name.value)) continue
      if (isSpread) seen.add(node.name.value)
      const body = isSpread ? fragments.get(node.name.value) : node
      if (body === undefined) continue
      const narrowed = body.typeCondition && graph.typeByName.get(body.typeCondition.name.value)
      waiting.push({ set: body.selectionSet, type: narrowed ?? type })
    }
  }
  return [...found].sort((a, b) => a - b)
}

type ProtectedOperation = { readonly graph: Graph; readonly accessConditions: readonly number[] }

/** The conditions of an operation that a request meets. */
export function grantedBy(
  { graph, accessConditions: numbers }: ProtectedOperation,
  authorization: Authorization,
): ReadonlySet<number> {
  const granted = new Set<number>()
  for (const number of numbers) {
    const condition = graph.access?.conditions[number]
    if (condition !== undefined && meets(authorization, condition)) granted.add(number)
  }
  return granted
}

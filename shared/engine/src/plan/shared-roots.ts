/**
 * The query root may be reached again further down, and asked in the same request as from above. Then no field that only
 * one of the places asks for may take, when it fails, anything from the other one.
 */
import type { Graph } from '../graph/graph.ts'
import { printTypeRef } from '../graph/graph.ts'
import type { Budget } from './budget.ts'
import type { DocField, DocSelection } from './document.ts'

export function mayShareRequest(graph: Graph, a: DocSelection, b: DocSelection, budget: Budget): boolean {
  return keepsApart(graph, a, b, budget) && keepsApart(graph, b, a, budget)
}

/** What is selected in `a` alone is nullable, so that its failing stays with it. */
function keepsApart(graph: Graph, a: DocSelection, b: DocSelection, budget: Budget): boolean {
  budget.step(a.fields.length + b.fields.length)
  const others = Map.groupBy(b.fields, (field) => headOf(graph, field))
  return a.fields.every((field) => {
    const same = others.get(headOf(graph, field)) ?? []
    const isShared = [...field.on].every((type) => same.some(({ on }) => on.has(type)))
    if (!isShared && field.nonNull) return false
    const { child } = field
    if (child === null) return true
    return same.every((other) => other.child === null || keepsApart(graph, child, other.child, budget))
  })
}

function headOf(graph: Graph, field: DocField): string {
  return `${field.preferred}:${field.name}${field.args}:${printTypeRef(graph, field.type)}`
}

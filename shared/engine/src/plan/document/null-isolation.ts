/**
 * Decides whether two selections may share an object of a response without nulling each other.
 *
 * The query root may be entered again further down, and asked in the same request as at the top. Then a field
 * that only one of the two places selects must be nullable: if it fails, nothing of the other place may
 * become null.
 */
import type { Graph } from '../../graph/graph.ts'
import { printTypeRef } from '../../graph/graph.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { DocumentField, DocumentSelection } from './document.ts'
import type { TypeId } from '../../ids/ids.ts'

/** Whether two selection sets on the query root can stand in one document. */
export function mayShareRequest(
  graph: Graph,
  a: DocumentSelection,
  b: DocumentSelection,
  budget: Budget,
): boolean {
  return (
    keepsNullsApart(graph, a.fields, b.fields, budget) && keepsNullsApart(graph, b.fields, a.fields, budget)
  )
}

/** Whether every field that only `a` selects is nullable, so that its failure stays with it. */
export function keepsNullsApart(
  graph: Graph,
  a: readonly DocumentField[],
  b: readonly DocumentField[],
  budget: Budget,
): boolean {
  budget.step(a.length + b.length)
  const others = Map.groupBy(b, (field) => headOf(graph, field))
  return a.every((field) => {
    const same = others.get(headOf(graph, field)) ?? []
    const isShared = [...field.on].every((type) => same.some(({ on }) => on.has(type)))
    if (!isShared && field.nonNull) return false
    const { child, on } = field
    if (child === null) return true
    return besides(on, same).every((fields) => keepsNullsApart(graph, child.fields, fields, budget))
  })
}

/**
 * Returns the fields that others select below the same field, once for each group of types for which the same
 * others select it.
 */
function besides(
  types: ReadonlySet<TypeId>,
  same: readonly DocumentField[],
): readonly (readonly DocumentField[])[] {
  const classes = new Map<string, readonly DocumentField[]>()
  for (const type of types) {
    const others = same.filter(({ on }) => on.has(type))
    const key = others.map((other) => same.indexOf(other)).join(',')
    if (others.length > 0 && !classes.has(key))
      classes.set(
        key,
        others.flatMap(({ child }) => child?.fields ?? []),
      )
  }
  return [...classes.values()]
}

function headOf(graph: Graph, field: DocumentField): string {
  return `${field.name}${field.args}:${printTypeRef(graph, field.type)}`
}

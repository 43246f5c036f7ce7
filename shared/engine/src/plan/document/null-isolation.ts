/**
 * The query root may be reached again further down, and asked in the same request as from above. Then no field that only
 * one of the places asks for may take, when it fails, anything from the other one.
 */
import type { Graph } from '../../graph/graph.ts'
import { printTypeRef } from '../../graph/graph.ts'
import type { Budget } from '../../budget.ts'
import type { DocField, DocSelection } from './document.ts'
import type { TypeId } from '../../ids.ts'

export function mayShareRequest(graph: Graph, a: DocSelection, b: DocSelection, budget: Budget): boolean {
  return (
    keepsNullsApart(graph, a.fields, b.fields, budget) && keepsNullsApart(graph, b.fields, a.fields, budget)
  )
}

/** What is selected in `a` alone is nullable, so that its failing stays with it. */
export function keepsNullsApart(
  graph: Graph,
  a: readonly DocField[],
  b: readonly DocField[],
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

/** What others select below the same field, for each of the types that differ in that. */
function besides(types: ReadonlySet<TypeId>, same: readonly DocField[]): readonly (readonly DocField[])[] {
  const classes = new Map<string, readonly DocField[]>()
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

function headOf(graph: Graph, field: DocField): string {
  return `${field.name}${field.args}:${printTypeRef(graph, field.type)}`
}

/**
 * Fields that cannot be reached, and composed until now all the same: routers answer with an error where they
 * are asked for.
 */
import type { Graph } from '../graph/graph.ts'
import type { MergedGraph } from '../merge/merged.ts'
import { topLevelFields } from '../model/field-sets.ts'
import type { Obstacle, UnreachableField } from '../reach/unreachable-field.ts'

/** Returns a function that is true for fields that composed until now. */
export function takenBefore(merged: MergedGraph, graph: Graph): (field: UnreachableField) => boolean {
  const implemented = new Set(
    [...merged.types.values()].flatMap((type) => (type.kind === 'object' ? type.interfaces : [])),
  )
  const required = requiredOfItself(graph)
  return ({ field, reasons }) => {
    const isWithoutObjects =
      merged.types.get(field.type)?.kind === 'interface' && !implemented.has(field.type)
    return isWithoutObjects || reasons.some((reason) => required.has(coordinateOf(reason)))
  }
}

/** The field that a reason is about; empty if it is about none. */
function coordinateOf(reason: Obstacle): string {
  if (reason.kind === 'external') return reason.field
  return reason.kind === 'requires' ? reason.missing : ''
}

/**
 * Fields that a subgraph requires although it resolves them itself. A router does not ask it for them, since
 * what is required comes from elsewhere.
 */
function requiredOfItself({ subgraphs }: Graph): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { types } of subgraphs)
    for (const type of types.values()) {
      if (type.kind !== 'object' && type.kind !== 'interface') continue
      for (const { requires } of type.fields.values())
        for (const { name } of requires === null ? [] : topLevelFields(requires.set))
          if (type.fields.get(name.value)?.isExternal === false) found.add(`${type.name}.${name.value}`)
    }
  return found
}

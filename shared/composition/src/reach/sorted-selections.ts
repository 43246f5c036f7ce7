/** Selections that can be answered only if the runtime types of the objects are known. */
import {
  type FieldSet,
  fieldOf,
  type TypeGraph,
  printTypeRef,
  type TypeId,
  typeOf,
} from '@switchyard/engine/moves'

/**
 * Whether a selection asks different things of different object types, so that their types must be known.
 */
export function isSorted(graph: TypeGraph, type: TypeId, below: FieldSet): boolean {
  if (below.some((item) => item.kind === 'on' && item.type !== type)) return true
  const names = below.flatMap((item) => (item.kind === 'field' ? [item.name] : []))
  const texts = typeOf(graph, type).possible.map((object) =>
    names
      .map((name) => {
        const field = fieldOf(graph, object, name)
        return field === undefined ? '' : printTypeRef(graph, field.type)
      })
      .join(),
  )
  return new Set(texts).size > 1
}

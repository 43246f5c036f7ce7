/** The part of a graph that clients may ask: the object types that they may see, and the fields of these. */
import { type CompiledField, type TypeGraph, type Node, type TypeId, typeOf } from '@switchyard/engine/moves'

/**
 * The object types that clients may see at a place; all of them if an interface object has objects of a type
 * whose object types are all hidden.
 */
export function visibleObjects(graph: TypeGraph, type: TypeId): readonly TypeId[] {
  const { possible, presence } = typeOf(graph, type)
  const visible = possible.filter((id) => !typeOf(graph, id).inaccessible)
  return visible.length === 0 && presence.some(({ interfaceObject }) => interfaceObject) ? possible : visible
}

/** The fields of an object type that clients may ask, by name. */
export function visibleFields(graph: TypeGraph, object: TypeId): readonly CompiledField[] {
  return typeOf(graph, object)
    .fields.filter(({ inaccessible }) => !inaccessible)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The visible object types of which every one of the nodes may give objects. */
export function commonObjects(graph: TypeGraph, type: TypeId, nodes: readonly Node[]): readonly TypeId[] {
  return visibleObjects(graph, type).filter((object) => nodes.every(({ knows }) => knows.has(object)))
}

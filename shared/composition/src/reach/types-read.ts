/**
 * Tells which types decide what can be entered by keys: the object type, its interfaces, and the types that
 * keys and `@requires` select, with what decides about these in turn. More than is read may be told, and
 * nothing that is read is left out.
 */
import {
  type FieldSet,
  fieldOf,
  namedType,
  type TypeGraph,
  type TypeId,
  typeOf,
} from '@switchyard/engine/moves'

/** Looks types up, and remembers what they read themselves. */
export class TypesRead {
  readonly #graph: TypeGraph
  readonly #direct = new Map<TypeId, ReadonlySet<TypeId>>()

  constructor(graph: TypeGraph) {
    this.#graph = graph
  }

  /** All types that decide about objects of a type, itself included. */
  of(object: TypeId): ReadonlySet<TypeId> {
    const found = new Set([object])
    // Types that are added while the loop runs are visited by it, too.
    for (const type of found) for (const read of this.#directly(type)) found.add(read)
    return found
  }

  #directly(type: TypeId): ReadonlySet<TypeId> {
    let read = this.#direct.get(type)
    if (read === undefined) {
      read = this.#read(type)
      this.#direct.set(type, read)
    }
    return read
  }

  #read(id: TypeId): ReadonlySet<TypeId> {
    const type = typeOf(this.#graph, id)
    const found = new Set<TypeId>(type.interfaces)
    for (const owner of [id, ...type.interfaces]) {
      const { presence, fields } = typeOf(this.#graph, owner)
      for (const { keys } of presence) for (const { fieldSet } of keys) this.#walk(id, fieldSet, found)
      for (const { edges } of fields)
        for (const { requires } of edges) if (requires !== null) this.#walk(id, requires.fieldSet, found)
    }
    return found
  }

  #walk(on: TypeId, fieldSet: FieldSet, found: Set<TypeId>): void {
    found.add(on)
    for (const item of fieldSet) {
      if (item.kind === 'on') this.#walk(item.type, item.below, found)
      else if (item.below !== null)
        for (const type of this.#targets(on, item.name, found)) this.#walk(type, item.below, found)
    }
  }

  /**
   * The types that a field may return in any subgraph, with their object types. Conditions in what is
   * provided below the field are read as well.
   */
  #targets(on: TypeId, name: string, read: Set<TypeId>): ReadonlySet<TypeId> {
    const found = new Set<TypeId>()
    for (const owner of [on, ...typeOf(this.#graph, on).possible]) {
      const field = fieldOf(this.#graph, owner, name)
      if (field === undefined) continue
      for (const ref of [field.type, ...field.edges.map(({ type }) => type)]) found.add(namedType(ref))
      for (const { provides } of field.edges) if (provides !== null) addConditions(provides, read)
    }
    // Object types that are added while the loop runs stand for themselves alone.
    for (const type of found) for (const object of typeOf(this.#graph, type).possible) found.add(object)
    return found
  }
}

/** Adds the types of the conditions in what a `@provides` gives. */
export function addConditions(provided: FieldSet, found: Set<TypeId>): void {
  for (const item of provided) {
    if (item.kind === 'on') found.add(item.type)
    if (item.below !== null) addConditions(item.below, found)
  }
}

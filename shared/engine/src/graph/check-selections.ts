/**
 * Keys, requirements and provided fields must name fields that there are. A composer sees to that; in a
 * supergraph that was changed by hand, a key without its fields would identify nothing.
 */
import type { TypeId } from '../ids/ids.ts'
import type { CompiledField, CompiledType, FieldSet } from './compiled/compiled-graph.ts'
import { fieldOf, type TypeGraph, typeOf } from './graph.ts'
import { namedType } from './compiled/named-type.ts'
import { SupergraphError } from './header/supergraph-error.ts'

/**
 * Throws a SupergraphError if a key, `@requires` or `@provides` names a field that its type does not have.
 */
export function checkSelections(graph: TypeGraph, types: Iterable<CompiledType>): void {
  // A subgraph may declare an object type where the supergraph has an interface: then its fields are meant.
  const find: FindField = (on, name) =>
    fieldOf(graph, on, name) ??
    typeOf(graph, on)
      .possible.map((object) => fieldOf(graph, object, name))
      .find((field) => field !== undefined)
  for (const type of types) {
    for (const { keys } of type.presence)
      for (const { fieldSet } of keys) check(graph, find, type.id, fieldSet, `the key of ${type.name}`)
    for (const field of type.fields)
      for (const { requires, provides } of field.edges) {
        if (requires === null && provides === null) continue
        const where = `${type.name}.${field.name}`
        if (requires !== null) check(graph, find, type.id, requires.fieldSet, where)
        if (provides !== null) check(graph, find, namedType(field.type), provides, where)
      }
  }
}

type FindField = (on: TypeId, name: string) => CompiledField | undefined

function check(graph: TypeGraph, find: FindField, on: TypeId, fieldSet: FieldSet, where: string): void {
  for (const item of fieldSet) {
    if (item.kind === 'on') {
      check(graph, find, item.type, item.below, where)
      continue
    }
    const field = find(on, item.name)
    if (field === undefined)
      throw new SupergraphError(
        'SUPERGRAPH_INVALID',
        `The selection at ${where} names the field "${item.name}", which the type "${typeOf(graph, on).name}" does not have.`,
      )
    if (item.below !== null) check(graph, find, namedType(field.type), item.below, where)
  }
}

/** Compiles the types of a graph from what the join directives state about them. */
import { type TypeId, typeId } from '../ids/ids.ts'
import type { CompiledField, CompiledType } from './compiled/compiled-graph.ts'
import { compileEdges, fieldOwner } from './join-fields.ts'
import type { JoinedType } from './joined/joined-type.ts'
import { inOrder, type NameTables, typeNamed, typeRef } from './name-tables.ts'
import { compilePresence, possibleTypes } from './presence.ts'

/**
 * Compiles the type with an id. Throws a SupergraphError if it names a type that the graph does not have, or
 * fields that cannot be parsed.
 */
export function compileType(tables: NameTables, id: TypeId): CompiledType {
  const name = tables.names[id] ?? ''
  const type = tables.types.get(name)
  if (type === undefined) return scalarOfGraphql(name, id)
  const presence = compilePresence(tables, type)
  return {
    id,
    name,
    kind: type.kind,
    inaccessible: type.inaccessible,
    interfaces: inOrder(
      tables,
      type.interfaces.map((one) => typeNamed(tables, one, name)),
    ),
    possible: possibleTypes(tables, type, id, presence),
    fields: compileFields(tables, type, presence),
    enumValues: type.enumValues,
    presence,
  }
}

/** Compiles all types. */
export function compileTypes(tables: NameTables): readonly CompiledType[] {
  return tables.names.map((_name, id) => compileType(tables, typeId(id)))
}

function scalarOfGraphql(name: string, id: TypeId): CompiledType {
  return {
    id,
    name,
    kind: 'scalar',
    inaccessible: false,
    interfaces: [],
    possible: [],
    fields: [],
    enumValues: [],
    presence: [],
  }
}

function compileFields(
  tables: NameTables,
  type: JoinedType,
  presence: CompiledType['presence'],
): readonly CompiledField[] {
  if (type.fields.length === 0) return []
  const owner = fieldOwner(tables, type, presence)
  return type.fields.map((field) => {
    const ref = typeRef(tables, field.type, `${type.name}.${field.name}`)
    return {
      name: field.name,
      type: ref,
      inaccessible: field.inaccessible,
      ...compileEdges(tables, owner, field, ref),
    }
  })
}

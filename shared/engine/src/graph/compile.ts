/** Compiles supergraph SDL to a graph. Pure: the same text gives the same data. */
import { type EnumTypeDefinitionNode, Kind, type TypeDefinitionNode } from 'graphql'
import { NO_ROOT_TYPE, type TypeId, typeId } from '../ids/ids.ts'
import { checkSelections } from './check-selections.ts'
import { compileAccess } from './access/compile-access.ts'
import { compileApi } from './compile-api.ts'
import { compileCacheHints } from './compile-cache-hints.ts'
import { compileCosts } from './compile-costs.ts'
import type { CompiledField, CompiledGraph, CompiledType, TypeKind } from './compiled/compiled-graph.ts'
import { hasDirective } from './header/directives.ts'
import { readHeader, type SupergraphHeader } from './header/header.ts'
import { compileEdges, type FieldOwner, fieldOwner } from './join-fields.ts'
import { type NameTables, buildNameTables, typeNamed, typeRef } from './name-tables.ts'
import { possibleTypes, readPresence } from './presence.ts'
import { SupergraphError } from './header/supergraph-error.ts'

/** Compiles a supergraph. Throws a SupergraphError if the SDL is no supergraph that this router can serve. */
export function compileSupergraph(supergraphSdl: string): CompiledGraph {
  const header = readHeader(supergraphSdl)
  const tables = buildNameTables(header)
  const types = tables.names.map((name, id) => compileType(tables, name, typeId(id)))
  checkSelections(types)
  return {
    api: compileApi(header.document),
    subgraphs: header.subgraphs,
    types,
    roots: readRoots(header, tables),
    labels: tables.labels,
    accessRules: header.names.accessRules,
    access: compileAccess(header, types),
    costs: compileCosts(header),
    cacheHints: compileCacheHints(header),
  }
}

function readRoots({ document }: SupergraphHeader, { typeByName }: NameTables): CompiledGraph['roots'] {
  const named = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }
  for (const definition of document.definitions)
    if (definition.kind === Kind.SCHEMA_DEFINITION) {
      for (const root of definition.operationTypes) named[root.operation] = root.type.name.value
    }
  const query = typeByName.get(named.query)
  if (query === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `The supergraph does not define its query type "${named.query}".`,
    )
  return {
    query,
    mutation: typeByName.get(named.mutation) ?? NO_ROOT_TYPE,
    subscription: typeByName.get(named.subscription) ?? NO_ROOT_TYPE,
  }
}

const KINDS: Readonly<Record<TypeDefinitionNode['kind'], TypeKind>> = {
  ScalarTypeDefinition: 'scalar',
  ObjectTypeDefinition: 'object',
  InterfaceTypeDefinition: 'interface',
  UnionTypeDefinition: 'union',
  EnumTypeDefinition: 'enum',
  InputObjectTypeDefinition: 'input',
}

function compileType(tables: NameTables, name: string, id: TypeId): CompiledType {
  const definition = tables.definitions.get(name)
  const hasFields =
    definition?.kind === Kind.OBJECT_TYPE_DEFINITION || definition?.kind === Kind.INTERFACE_TYPE_DEFINITION
  const presence = definition === undefined ? [] : readPresence(tables, definition)
  return {
    id,
    name,
    kind: definition === undefined ? 'scalar' : KINDS[definition.kind],
    inaccessible: definition !== undefined && hasDirective(definition, tables.features.inaccessible),
    interfaces: hasFields
      ? (definition.interfaces ?? [])
          .map((node) => typeNamed(tables, node.name.value, name))
          .sort((a, b) => a - b)
      : [],
    possible: possibleTypes(tables, name, id, presence),
    fields: hasFields ? compileFields(tables, fieldOwner(tables, definition, presence)) : [],
    enumValues: definition?.kind === Kind.ENUM_TYPE_DEFINITION ? readEnumValues(tables, definition) : [],
    presence,
  }
}

function readEnumValues(tables: NameTables, definition: EnumTypeDefinitionNode) {
  return (definition.values ?? []).map((value) => ({
    name: value.name.value,
    inaccessible: hasDirective(value, tables.features.inaccessible),
  }))
}

function compileFields(tables: NameTables, owner: FieldOwner): readonly CompiledField[] {
  return (owner.definition.fields ?? []).map((field) => {
    const type = typeRef(tables, field.type, `${owner.definition.name.value}.${field.name.value}`)
    return {
      name: field.name.value,
      type,
      inaccessible: hasDirective(field, tables.features.inaccessible),
      ...compileEdges(tables, owner, field, type),
    }
  })
}

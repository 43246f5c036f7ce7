/** From supergraph SDL to the compiled graph. Pure: the same text gives the same data. */
import {
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type TypeDefinitionNode,
  type UnionTypeDefinitionNode,
} from 'graphql'
import type { SubId, TypeId } from '../plan/plan.ts'
import type {
  CompiledField,
  CompiledGraph,
  CompiledPresence,
  CompiledSubgraph,
  CompiledType,
  TypeKind,
} from './compiled-graph.ts'
import { directivesOf, flag, hasDirective, text } from './directives.ts'
import { readFeatures } from './features.ts'
import { compileEdges } from './join-fields.ts'
import { type Naming, subId, typeId, typeRef } from './naming.ts'
import { parseSelectionText } from './selection-text.ts'
import { SupergraphError } from './supergraph-error.ts'

const BUILT_IN_SCALARS = ['Boolean', 'Float', 'ID', 'Int', 'String']
const MACHINERY = /^(join|link|core|__)__|^__/

export function compileSupergraph(supergraphSdl: string): CompiledGraph {
  const document = parseSdl(supergraphSdl)
  const features = readFeatures(document)
  const definitions = new Map<string, TypeDefinitionNode>()
  for (const definition of document.definitions)
    if (isTypeDefinition(definition)) definitions.set(definition.name.value, definition)
  const subgraphs = readSubgraphs(definitions.get('join__Graph'))
  const names = [...new Set([...definitions.keys(), ...BUILT_IN_SCALARS])]
    .filter((name) => !MACHINERY.test(name))
    .sort()
  const naming: Naming = {
    features,
    typeByName: new Map(names.map((name, id) => [name, id])),
    definitions,
    subgraphs,
    subByEnumValue: new Map(subgraphs.map((subgraph, id) => [subgraph.enumValue, id])),
    subByName: new Map(subgraphs.map((subgraph, id) => [subgraph.name, id])),
    labels: [],
  }
  const bare = names.map((name, id) => compileShell(naming, name, id))
  const types = bare.map((type) => ({ ...type, fields: compileFields(naming, bare, type) }))
  return {
    format: 1,
    sdl: supergraphSdl,
    subgraphs,
    types,
    roots: readRoots(document, naming),
    labels: naming.labels,
  }
}

function parseSdl(supergraphSdl: string): DocumentNode {
  try {
    return parse(supergraphSdl)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SupergraphError('SUPERGRAPH_SYNTAX', `The supergraph SDL cannot be parsed: ${reason}`, {
      cause,
    })
  }
}

function isTypeDefinition(definition: DocumentNode['definitions'][number]): definition is TypeDefinitionNode {
  switch (definition.kind) {
    case Kind.SCALAR_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.UNION_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return true
    default:
      return false
  }
}

function readSubgraphs(definition: TypeDefinitionNode | undefined): readonly CompiledSubgraph[] {
  if (definition?.kind !== Kind.ENUM_TYPE_DEFINITION)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      'The supergraph has no enum join__Graph, so it names no subgraph to ask.',
    )
  const subgraphs = (definition.values ?? []).map((value) => {
    const [graph] = directivesOf(value, 'join__graph')
    const enumValue = value.name.value
    return {
      name: (graph && text(graph, 'name')) ?? enumValue,
      url: (graph && text(graph, 'url')) ?? '',
      enumValue,
    }
  })
  return subgraphs.sort((a, b) => (a.enumValue < b.enumValue ? -1 : 1))
}

function readRoots(document: DocumentNode, { typeByName }: Naming): CompiledGraph['roots'] {
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
    mutation: typeByName.get(named.mutation) ?? -1,
    subscription: typeByName.get(named.subscription) ?? -1,
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

/** Everything of a type but its fields, which need to know the other types first. */
function compileShell(naming: Naming, name: string, id: TypeId): CompiledType {
  const definition = naming.definitions.get(name)
  const interfaces =
    definition?.kind === Kind.OBJECT_TYPE_DEFINITION || definition?.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? (definition.interfaces ?? []).map((node) => typeId(naming, node.name.value, name))
      : []
  return {
    id,
    name,
    kind: definition === undefined ? 'scalar' : KINDS[definition.kind],
    inaccessible: definition !== undefined && hasDirective(definition, naming.features.inaccessible),
    interfaces,
    possible: ascending(possibleTypes(naming, name)),
    fields: [],
    enumValues: definition?.kind === Kind.ENUM_TYPE_DEFINITION ? readEnumValues(naming, definition) : [],
    presence: definition === undefined ? [] : readPresence(naming, definition),
  }
}

function possibleTypes(naming: Naming, name: string): TypeId[] {
  const definition = naming.definitions.get(name)
  if (definition === undefined) return []
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
      return [typeId(naming, name, name)]
    case Kind.UNION_TYPE_DEFINITION:
      return (definition.types ?? []).map((node) => typeId(naming, node.name.value, name))
    case Kind.INTERFACE_TYPE_DEFINITION:
      return implementers(naming, name)
    default:
      return []
  }
}

function implementers(naming: Naming, name: string): TypeId[] {
  const found: TypeId[] = []
  for (const [other, definition] of naming.definitions)
    if (
      definition.kind === Kind.OBJECT_TYPE_DEFINITION &&
      definition.interfaces?.some((node) => node.name.value === name) === true
    )
      found.push(typeId(naming, other, other))
  return found
}

function readEnumValues(naming: Naming, definition: EnumTypeDefinitionNode) {
  return (definition.values ?? []).map((value) => ({
    name: value.name.value,
    inaccessible: hasDirective(value, naming.features.inaccessible),
  }))
}

function readPresence(naming: Naming, definition: TypeDefinitionNode): readonly CompiledPresence[] {
  const name = definition.name.value
  const bySub = new Map<SubId, { interfaceObject: boolean; keys: CompiledPresence['keys'][number][] }>()
  for (const join of directivesOf(definition, 'join__type')) {
    const sub = subId(naming, text(join, 'graph'), name)
    const entry = bySub.get(sub) ?? { interfaceObject: false, keys: [] }
    bySub.set(sub, entry)
    entry.interfaceObject ||= flag(join, 'isInterfaceObject', false)
    const key = text(join, 'key')
    if (key === null) continue
    entry.keys.push({
      text: key,
      sel: parseSelectionText(key, `the key of ${name}`, naming.typeByName),
      resolvable: flag(join, 'resolvable', true),
    })
  }
  // join 0.1 gives value types no join__type: they live everywhere.
  if (bySub.size === 0)
    for (const sub of naming.subgraphs.keys()) bySub.set(sub, { interfaceObject: false, keys: [] })
  return [...bySub]
    .sort(([a], [b]) => a - b)
    .map(([sub, entry]) => ({
      sub,
      interfaceObject: entry.interfaceObject,
      keys: entry.keys,
      runtime: entry.interfaceObject ? [] : ascending(runtimeTypes(naming, definition, sub)),
    }))
}

/** Object types one subgraph may return for a type: per subgraph, never from the global lists where it says so. */
function runtimeTypes(naming: Naming, definition: TypeDefinitionNode, sub: SubId): TypeId[] {
  const name = definition.name.value
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
      return [typeId(naming, name, name)]
    case Kind.INTERFACE_TYPE_DEFINITION:
      return implementers(naming, name).filter((id) => implementsIn(naming, id, name, sub))
    case Kind.UNION_TYPE_DEFINITION:
      return membersIn(naming, definition, sub)
    default:
      return []
  }
}

function implementsIn(naming: Naming, object: TypeId, name: string, sub: SubId): boolean {
  const definition = naming.definitions.get(nameOf(naming, object))
  if (definition === undefined) return false
  const stated = directivesOf(definition, 'join__implements')
  if (stated.length === 0) return livesIn(naming, definition, sub)
  return stated.some(
    (join) => text(join, 'interface') === name && subId(naming, text(join, 'graph'), name) === sub,
  )
}

function membersIn(naming: Naming, definition: UnionTypeDefinitionNode, sub: SubId): TypeId[] {
  const name = definition.name.value
  const stated = directivesOf(definition, 'join__unionMember')
  if (stated.length === 0)
    return possibleTypes(naming, name).filter((id) => {
      const member = naming.definitions.get(nameOf(naming, id))
      return member !== undefined && livesIn(naming, member, sub)
    })
  return stated
    .filter((join) => subId(naming, text(join, 'graph'), name) === sub)
    .map((join) => typeId(naming, text(join, 'member') ?? '', name))
}

function livesIn(naming: Naming, definition: TypeDefinitionNode, sub: SubId): boolean {
  const joins = directivesOf(definition, 'join__type')
  return (
    joins.length === 0 ||
    joins.some((join) => subId(naming, text(join, 'graph'), definition.name.value) === sub)
  )
}

function compileFields(
  naming: Naming,
  types: readonly CompiledType[],
  type: CompiledType,
): readonly CompiledField[] {
  const definition = naming.definitions.get(type.name)
  if (definition?.kind !== Kind.OBJECT_TYPE_DEFINITION && definition?.kind !== Kind.INTERFACE_TYPE_DEFINITION)
    return []
  const fields = definition.fields ?? []
  return fields.map((field) => compileField(naming, types, type, definition, field))
}

function compileField(
  naming: Naming,
  types: readonly CompiledType[],
  parent: CompiledType,
  definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode,
  field: FieldDefinitionNode,
): CompiledField {
  const type = typeRef(naming, field.type, `${parent.name}.${field.name.value}`)
  return {
    name: field.name.value,
    type,
    inaccessible: hasDirective(field, naming.features.inaccessible),
    edges: compileEdges(naming, types, parent, definition, field, type),
  }
}

function nameOf(naming: Naming, id: TypeId): string {
  for (const [name, other] of naming.typeByName) if (other === id) return name
  return ''
}

function ascending(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b)
}

/** The schema that one subgraph serves, as far as a supergraph still knows it. */
import type { CompiledType, TypeRef } from '@switchyard/engine'
import {
  buildASTSchema,
  type DefinitionNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  Kind,
  type NamedTypeNode,
  type NameNode,
  parse,
  parseType,
} from 'graphql'
import type { Definitions } from './definitions.ts'
import type { GraphFacts } from './graph-facts.ts'

const FEDERATION = parse('scalar _Any type _Service { sdl: String }', { noLocation: true }).definitions

export function subgraphSchema(facts: GraphFacts, definitions: Definitions, sub: number): GraphQLSchema {
  const { types, roots } = facts.graph
  const here = types.filter(({ presence }) => presence.some((some) => some.sub === sub))
  const composite = here.flatMap((type) => compositeDefinition(facts, definitions, type, sub) ?? [])
  const entities = here.filter(
    (type) => (type.kind === 'object' || facts.isInterfaceObject(type, sub)) && isResolvable(type, sub),
  )
  const query = facts.type(roots.query)
  const rootFields = parse(
    `type Q { _service: _Service! ${entities.length > 0 ? '_entities(representations: [_Any!]!): [_Entity]!' : ''} }
     ${entities.length > 0 ? `union _Entity = ${entities.map(({ name }) => name).join(' | ')}` : ''}`,
    { noLocation: true },
  ).definitions
  const [entry, ...union] = rootFields
  const added = entry?.kind === Kind.OBJECT_TYPE_DEFINITION ? (entry.fields ?? []) : []
  const own = composite.find((definition) => nameOf(definition) === query.name)
  const queryDefinition: DefinitionNode = {
    kind: Kind.OBJECT_TYPE_DEFINITION,
    name: name(query.name),
    fields: [...(own?.kind === Kind.OBJECT_TYPE_DEFINITION ? (own.fields ?? []) : []), ...added],
  }
  const mutation = roots.mutation === -1 ? null : facts.type(roots.mutation)
  const hasMutation = composite.some((definition) => nameOf(definition) === mutation?.name)
  const schemaDefinition: DefinitionNode = {
    kind: Kind.SCHEMA_DEFINITION,
    operationTypes: [
      { kind: Kind.OPERATION_TYPE_DEFINITION, operation: 'query', type: named(query.name) },
      ...(hasMutation && mutation !== null
        ? [
            {
              kind: Kind.OPERATION_TYPE_DEFINITION,
              operation: 'mutation',
              type: named(mutation.name),
            } as const,
          ]
        : []),
    ],
  }
  return buildASTSchema(
    {
      kind: Kind.DOCUMENT,
      definitions: [
        schemaDefinition,
        ...FEDERATION,
        ...union,
        ...enumsHere(definitions, sub),
        queryDefinition,
        ...composite.filter((definition) => nameOf(definition) !== query.name),
      ],
    },
    { assumeValid: true, assumeValidSDL: true },
  )
}

function enumsHere({ inputs, enums }: Definitions, sub: number): readonly DefinitionNode[] {
  return inputs.map((definition) => {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION) return definition
    const values = enums(definition.name.value, sub)
    if (values === null || values.size === 0) return definition
    return {
      ...definition,
      values: (definition.values ?? []).filter((value) => values.has(value.name.value)),
    }
  })
}

function compositeDefinition(
  facts: GraphFacts,
  definitions: Definitions,
  type: CompiledType,
  sub: number,
): DefinitionNode | null {
  switch (type.kind) {
    case 'union': {
      const types = (facts.runtime(type, sub) ?? []).map((id) => named(facts.type(id).name))
      return types.length === 0 ? null : { kind: Kind.UNION_TYPE_DEFINITION, name: name(type.name), types }
    }
    case 'object':
    case 'interface': {
      const isObject = type.kind === 'object' || facts.isInterfaceObject(type, sub)
      const fields = type.fields.flatMap((field) => {
        const edge = field.edges.find((candidate) => candidate.sub === sub)
        if (edge === undefined && !facts.isProvidedSomewhere(type, field.name, sub)) return []
        return [fieldDefinition(facts, definitions, type, field.name, edge?.type ?? field.type)]
      })
      // Roots only exist where they have fields; any other type may be there for its name alone.
      const isRoot = Object.values(facts.graph.roots).includes(type.id)
      if (fields.length === 0 && isRoot) return null
      return {
        kind: isObject ? Kind.OBJECT_TYPE_DEFINITION : Kind.INTERFACE_TYPE_DEFINITION,
        name: name(type.name),
        interfaces: type.kind === 'object' ? interfacesHere(facts, type, sub) : [],
        fields: fields.length > 0 ? fields : PLACEHOLDER,
      }
    }
    default:
      return null
  }
}

const PLACEHOLDER: readonly FieldDefinitionNode[] = [
  { kind: Kind.FIELD_DEFINITION, name: name('_none'), type: named('Boolean') },
]

function fieldDefinition(
  facts: GraphFacts,
  definitions: Definitions,
  type: CompiledType,
  field: string,
  declared: TypeRef,
): FieldDefinitionNode {
  return {
    kind: Kind.FIELD_DEFINITION,
    name: name(field),
    arguments: definitions.arguments(type.name, field),
    type: parseType(facts.printed(declared), { noLocation: true }),
  }
}

function interfacesHere(facts: GraphFacts, type: CompiledType, sub: number): readonly NamedTypeNode[] {
  return type.interfaces
    .map((id) => facts.type(id))
    .filter((parent) => facts.runtime(parent, sub)?.includes(type.id) === true)
    .filter((parent) => parent.presence.some((presence) => presence.sub === sub))
    .map((parent) => named(parent.name))
}

export function isResolvable(type: CompiledType, sub: number): boolean {
  return type.presence.some(
    (presence) => presence.sub === sub && presence.keys.some(({ resolvable }) => resolvable),
  )
}

function nameOf(definition: DefinitionNode): string {
  return 'name' in definition && definition.name?.kind === Kind.NAME ? definition.name.value : ''
}

function name(value: string): NameNode {
  return { kind: Kind.NAME, value }
}

function named(value: string): NamedTypeNode {
  return { kind: Kind.NAMED_TYPE, name: name(value) }
}

/** Compiles a supergraph to the client's schema as plain data. */
import {
  type DirectiveDefinitionNode,
  DirectiveLocation,
  type DocumentNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  getDirectiveValues,
  GraphQLDeprecatedDirective,
  GraphQLOneOfDirective,
  GraphQLSpecifiedByDirective,
  type InputValueDefinitionNode,
  isInputType,
  Kind,
  OperationTypeNode,
  validateInputLiteral,
} from 'graphql'
import { ApiTypes, definitionsByName } from './api-types.ts'
import type { ApiDirective, ApiField, ApiInput, ApiType, CompiledApi } from './compiled/compiled-api.ts'
import type { NodeWithDirectives } from './header/directives.ts'
import { namedTypeIn, typeText } from './header/type-text.ts'
import { SPECIFIED_SCALARS } from './specified-scalars.ts'
import { type Definition, visibleDefinitions } from './visible-definitions.ts'

/** Compiles the part of a parsed supergraph that clients may see. */
export function compileApi(supergraph: DocumentNode): CompiledApi {
  const definitions = visibleDefinitions(supergraph)
  const types = definitions.flatMap((definition) => compileApiType(definition) ?? [])
  return {
    ...compileRoots(definitions),
    types: withoutStaleDefaults(types, new ApiTypes(definitionsByName(types))),
    directives: definitions.flatMap((definition) =>
      definition.kind === Kind.DIRECTIVE_DEFINITION ? [compileDirective(definition)] : [],
    ),
  }
}

function compileRoots(definitions: readonly Definition[]) {
  const schema = definitions.find((definition) => definition.kind === Kind.SCHEMA_DEFINITION)
  const root = (operation: OperationTypeNode, usual: string) =>
    schema === undefined
      ? definitions.some((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === usual)
        ? usual
        : undefined
      : schema.operationTypes.find((node) => node.operation === operation)?.type.name.value
  return {
    description: schema?.description?.value,
    query: root(OperationTypeNode.QUERY, 'Query'),
    mutation: root(OperationTypeNode.MUTATION, 'Mutation'),
    subscription: root(OperationTypeNode.SUBSCRIPTION, 'Subscription'),
  }
}

/** Compiles the visible part of a definition; null if it is no type. */
export function compileApiType(node: Definition): ApiType | null {
  switch (node.kind) {
    case Kind.SCALAR_TYPE_DEFINITION: {
      const specified = getDirectiveValues(GraphQLSpecifiedByDirective, node)
      return { kind: 'scalar', ...described(node), specifiedByURL: textOf(specified?.['url']) }
    }
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const fields = (node.fields ?? []).map(compileField)
      return {
        kind: node.kind === Kind.OBJECT_TYPE_DEFINITION ? 'object' : 'interface',
        ...described(node),
        interfaces: (node.interfaces ?? []).map(({ name }) => name.value),
        fields,
        scalars: scalarsIn(fields.flatMap(({ type, args }) => [type, ...args.map((one) => one.type)])),
      }
    }
    case Kind.UNION_TYPE_DEFINITION:
      return { kind: 'union', ...described(node), types: (node.types ?? []).map(({ name }) => name.value) }
    case Kind.ENUM_TYPE_DEFINITION:
      return { kind: 'enum', ...described(node), values: (node.values ?? []).map(deprecable) }
    case Kind.INPUT_OBJECT_TYPE_DEFINITION: {
      const fields = (node.fields ?? []).map(compileInput)
      return {
        kind: 'input',
        ...described(node),
        fields,
        scalars: scalarsIn(fields.map(({ type }) => type)),
        isOneOf: getDirectiveValues(GraphQLOneOfDirective, node) !== undefined,
      }
    }
    default:
      return null
  }
}

/** The scalars of the specification among types that are written as in SDL, each once. */
function scalarsIn(types: readonly string[]): readonly string[] {
  return [...new Set(types.map(namedTypeIn))].filter((name) => SPECIFIED_SCALARS.has(name))
}

function compileField(node: FieldDefinitionNode): ApiField {
  return { ...deprecable(node), type: typeText(node.type), args: (node.arguments ?? []).map(compileInput) }
}

function compileInput(node: InputValueDefinitionNode): ApiInput {
  return { ...deprecable(node), type: typeText(node.type), default: node.defaultValue }
}

const LOCATIONS = Object.values(DirectiveLocation)

function compileDirective(node: DirectiveDefinitionNode): ApiDirective {
  return {
    ...deprecable(node),
    locations: node.locations.flatMap(({ value }) => LOCATIONS.filter((location) => location === value)),
    isRepeatable: node.repeatable,
    args: (node.arguments ?? []).map(compileInput),
  }
}

type Named = {
  readonly name: { readonly value: string }
  readonly description?: { readonly value: string } | undefined
}

function described(node: Named) {
  return { name: node.name.value, description: node.description?.value }
}

function deprecable(
  node: FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode | DirectiveDefinitionNode,
) {
  const directed: NodeWithDirectives = node
  const reason =
    directed.directives === undefined || directed.directives.length === 0
      ? undefined
      : getDirectiveValues(GraphQLDeprecatedDirective, directed)?.['reason']
  return { ...described(node), deprecationReason: textOf(reason) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/**
 * Removes the defaults that name something hidden. Such a default stays the subgraph's business: the argument
 * is left out of the requests to the subgraph, which applies its default.
 */
export function withoutStaleDefaults(types: readonly ApiType[], known: ApiTypes): readonly ApiType[] {
  const isStale = (input: ApiInput): boolean => {
    if (input.default === undefined) return false
    const type = known.type(input.type)
    let stale = false
    if (isInputType(type)) validateInputLiteral(input.default, type, () => void (stale = true))
    return stale
  }
  const kept = (inputs: readonly ApiInput[]): readonly ApiInput[] =>
    inputs.some(isStale)
      ? inputs.map((input) => (isStale(input) ? { ...input, default: undefined } : input))
      : inputs
  return types.map((type): ApiType => {
    switch (type.kind) {
      case 'object':
      case 'interface':
        return { ...type, fields: type.fields.map((field) => ({ ...field, args: kept(field.args) })) }
      case 'input':
        return { ...type, fields: kept(type.fields) }
      default:
        return type
    }
  })
}

import { DirectiveLocation, type DocumentNode, isTypeDefinitionNode, Kind, type TypeNode } from 'graphql'
import type { NodeWithDirectives } from './header/directives.ts'
import { findFeatureDefinitions, type FeatureDefinitions, isOfFeature } from './header/features.ts'
import { nameOfType } from './compiled/named-type.ts'

/** A top-level definition of a document. */
export type Definition = DocumentNode['definitions'][number]

/**
 * The definitions of a supergraph that clients may know of, without what they say to composers and routers.
 */
export function visibleDefinitions(supergraph: DocumentNode): readonly Definition[] {
  const featureDefinitions = findFeatureDefinitions(supergraph)
  return removeDangling(
    supergraph.definitions.flatMap((definition) => visibleDefinition(definition, featureDefinitions)),
  )
}

const EXECUTABLE_LOCATIONS: ReadonlySet<string> = new Set([
  DirectiveLocation.QUERY,
  DirectiveLocation.MUTATION,
  DirectiveLocation.SUBSCRIPTION,
  DirectiveLocation.FIELD,
  DirectiveLocation.FRAGMENT_DEFINITION,
  DirectiveLocation.FRAGMENT_SPREAD,
  DirectiveLocation.INLINE_FRAGMENT,
  DirectiveLocation.VARIABLE_DEFINITION,
])

const KEPT_DIRECTIVES: ReadonlySet<string> = new Set(['deprecated', 'specifiedBy', 'oneOf'])

/** The part of a definition that clients see; an empty list if they see none of it. */
export function visibleDefinition(
  definition: Definition,
  featureDefinitions: FeatureDefinitions,
): readonly Definition[] {
  const prefixed = (name: string) => featureDefinitions.prefixes.some((prefix) => name.startsWith(prefix))
  const hidden = (node: NodeWithDirectives) =>
    node.directives?.some(({ name }) => name.value === featureDefinitions.inaccessible) === true
  const shown = <T extends NodeWithDirectives>(nodes: readonly T[] | undefined): T[] =>
    (nodes ?? []).filter((node) => !hidden(node)).map(plain)
  // A directive of a feature may share its name with a client's type (`type Tag` is safe, `type link` is not
  // a feature's).
  const ownedType = (name: string) => isOfFeature(featureDefinitions, name)

  switch (definition.kind) {
    case Kind.SCHEMA_DEFINITION:
      return [plain(definition)]
    case Kind.DIRECTIVE_DEFINITION: {
      const executable = definition.locations.some(({ value }) => EXECUTABLE_LOCATIONS.has(value))
      if (
        !executable ||
        featureDefinitions.directives.has(definition.name.value) ||
        prefixed(definition.name.value)
      )
        return []
      return [{ ...definition, arguments: shown(definition.arguments) }]
    }
    case Kind.SCALAR_TYPE_DEFINITION:
      return hidden(definition) || ownedType(definition.name.value) ? [] : [plain(definition)]
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      if (hidden(definition) || ownedType(definition.name.value)) return []
      const fields = shown(definition.fields).map((field) => ({
        ...field,
        arguments: shown(field.arguments),
      }))
      return [{ ...plain(definition), fields }]
    }
    case Kind.UNION_TYPE_DEFINITION:
      return hidden(definition) || ownedType(definition.name.value) ? [] : [plain(definition)]
    case Kind.ENUM_TYPE_DEFINITION:
      return hidden(definition) || ownedType(definition.name.value)
        ? []
        : [{ ...plain(definition), values: shown(definition.values) }]
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return hidden(definition) || ownedType(definition.name.value)
        ? []
        : [{ ...plain(definition), fields: shown(definition.fields) }]
    default:
      return []
  }
}

/** A definition with only the directives that clients see. */
function plain<T extends NodeWithDirectives>(node: T): T {
  if (node.directives === undefined || node.directives.length === 0) return node
  return { ...node, directives: node.directives.filter(({ name }) => KEPT_DIRECTIVES.has(name.value)) }
}

/**
 * Drops what refers to a type that was dropped, and types without any member left, until nothing refers to a
 * dropped type.
 */
function removeDangling(definitions: readonly Definition[]): readonly Definition[] {
  let current = definitions
  for (;;) {
    const types = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])
    for (const definition of current) if (isTypeDefinitionNode(definition)) types.add(definition.name.value)
    let changed = false
    const next = current.map((definition) => withKnown(definition, types, () => (changed = true)))
    const remaining = next.filter((definition) => !isEmptyType(definition))
    if (!changed && remaining.length === current.length) return remaining
    current = remaining
  }
}

/** Names of types. */
export type TypeNames = { has(name: string): boolean }

/** The definition without what refers to other types than these. `onDropped`: something was left out. */
export function withKnown(
  definition: Definition,
  types: TypeNames,
  onDropped: () => void = () => {},
): Definition {
  const keep = <T>(nodes: readonly T[] | undefined, name: (node: T) => string): T[] => {
    const kept = (nodes ?? []).filter((node) => types.has(name(node)))
    if (kept.length !== (nodes ?? []).length) onDropped()
    return kept
  }
  const typed = (node: { readonly type: TypeNode }) => nameOfType(node.type)
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
      return {
        ...definition,
        interfaces: keep(definition.interfaces, ({ name }) => name.value),
        fields: keep(definition.fields, typed).map((field) => ({
          ...field,
          arguments: keep(field.arguments, typed),
        })),
      }
    case Kind.UNION_TYPE_DEFINITION:
      return { ...definition, types: keep(definition.types, ({ name }) => name.value) }
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return { ...definition, fields: keep(definition.fields, typed) }
    case Kind.SCHEMA_DEFINITION:
      return { ...definition, operationTypes: keep(definition.operationTypes, typed) }
    case Kind.DIRECTIVE_DEFINITION:
      return { ...definition, arguments: keep(definition.arguments, typed) }
    default:
      return definition
  }
}

/** Whether nothing is left of a type. */
export function isEmptyType(definition: Definition): boolean {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return (definition.fields ?? []).length === 0
    case Kind.UNION_TYPE_DEFINITION:
      return (definition.types ?? []).length === 0
    case Kind.ENUM_TYPE_DEFINITION:
      return (definition.values ?? []).length === 0
    default:
      return false
  }
}

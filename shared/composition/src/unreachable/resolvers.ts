/** Which subgraphs can resolve a field, and by which keys they can be entered. */
import { Kind } from 'graphql'
import type { ConstDirectiveNode, FieldDefinitionNode, SelectionSetNode } from 'graphql'
import { argument } from '../federation/federation-link.ts'
import { fieldSetOf } from '../subgraph/field-sets.ts'
import {
  federationDirectives,
  isExternal,
  isKeyField,
  isInterfaceObject,
  type ParsedSubgraph,
  type SubgraphType,
} from '../subgraph/subgraph.ts'
import { baseName } from '../subgraph/type-references.ts'

/** A field in a subgraph that declares it. */
export type Declared = {
  readonly subgraph: ParsedSubgraph
  /** The type itself, or the interface object that stands for it here. */
  readonly type: SubgraphType
  readonly field: FieldDefinitionNode
}

/** Every declaration of a field, also where an interface object gives it to the type. */
export function declarationsOf(
  subgraphs: readonly ParsedSubgraph[],
  typeName: string,
  fieldName: string,
): readonly Declared[] {
  const interfaces = new Set(subgraphs.flatMap(({ types }) => [...(types.get(typeName)?.interfaces ?? [])]))
  return subgraphs.flatMap((subgraph) =>
    [typeName, ...interfaces].flatMap((name): readonly Declared[] => {
      const type = subgraph.types.get(name)
      const field = type?.fields.get(fieldName)
      if (type === undefined || field === undefined) return []
      return name === typeName || isInterfaceObject(subgraph, type) ? [{ subgraph, type, field }] : []
    }),
  )
}

/**
 * False for a field that the subgraph only names, with `@external`. On the key of an extension the mark means
 * nothing: it comes from Federation 1, where it tells that another subgraph owns the type.
 */
export function isResolvedHere({ subgraph, type, field }: Declared): boolean {
  if (!isExternal(subgraph, type, field)) return true
  return type.extended && isKeyField(subgraph, type, field.name.value)
}

/** Whether the subgraph marks a field of its own key with `@external`, and so cannot give its own key. */
export function isExternalKey({ subgraph, type, field }: Declared): boolean {
  return isKeyField(subgraph, type, field.name.value) && !isResolvedHere({ subgraph, type, field })
}

/** Returns the `@external` marks of a field, which are on the field or on its type. */
export function externalMarks({ subgraph, type, field }: Declared): readonly ConstDirectiveNode[] {
  return [field, type].flatMap((node) => federationDirectives(subgraph, node, 'external'))
}

/** The type as the subgraph knows it, which may be through an interface object. */
export function entityIn(
  subgraph: ParsedSubgraph,
  subgraphs: readonly ParsedSubgraph[],
  typeName: string,
): SubgraphType | undefined {
  const own = subgraph.types.get(typeName)
  if (own !== undefined) return own
  const interfaces = subgraphs.flatMap(({ types }) => [...(types.get(typeName)?.interfaces ?? [])])
  return interfaces
    .map((name) => subgraph.types.get(name))
    .find((type) => type !== undefined && isInterfaceObject(subgraph, type))
}

/** A `@key` of a type. No other subgraph can enter this one by a key that is not resolvable. */
export type Key = { readonly node: ConstDirectiveNode; readonly fields: string; readonly resolvable: boolean }

/** All keys of a type in one subgraph, in document order. */
export function keysOf(subgraph: ParsedSubgraph, type: SubgraphType): readonly Key[] {
  return federationDirectives(subgraph, type, 'key').flatMap((node) => {
    const fields = argument(node, 'fields')
    const resolvable = argument(node, 'resolvable')
    return fields?.kind === Kind.STRING
      ? [
          {
            node,
            fields: fields.value,
            resolvable: resolvable?.kind !== Kind.BOOLEAN || resolvable.value,
          },
        ]
      : []
  })
}

/** A field that a subgraph cannot give: it does not declare the field, or marks it with `@external`. */
export type MissingField = {
  readonly type: string
  readonly field: string
  /** Null if the subgraph does not have the field; otherwise the field is external there. */
  readonly declared: Declared | null
}

/**
 * Finds the fields that a directive selects with `fields:` and that the subgraph cannot resolve for an object
 * of the type.
 */
export function missingFields(
  directive: ConstDirectiveNode,
  typeName: string,
  subgraph: ParsedSubgraph,
  subgraphs: readonly ParsedSubgraph[],
): readonly MissingField[] {
  return missingIn(fieldSetOf(directive), entityIn(subgraph, subgraphs, typeName)?.name ?? typeName, subgraph)
}

function missingIn(
  set: SelectionSetNode | null | undefined,
  typeName: string,
  subgraph: ParsedSubgraph,
): readonly MissingField[] {
  return (set?.selections ?? []).flatMap((node): readonly MissingField[] => {
    if (node.kind === Kind.INLINE_FRAGMENT)
      return missingIn(node.selectionSet, node.typeCondition?.name.value ?? typeName, subgraph)
    if (node.kind === Kind.FRAGMENT_SPREAD || node.name.value === '__typename') return []
    const type = subgraph.types.get(typeName)
    const field = type?.fields.get(node.name.value)
    if (type === undefined || field === undefined)
      return [{ type: typeName, field: node.name.value, declared: null }]
    const declared = { subgraph, type, field }
    if (!isResolvedHere(declared)) return [{ type: typeName, field: node.name.value, declared }]
    return missingIn(node.selectionSet, baseName(field.type), subgraph)
  })
}

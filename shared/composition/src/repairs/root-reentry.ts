/**
 * Repair: fields that return the query root, such as `type Reset { query: Query! }`.
 *
 * Any subgraph can be asked for its root fields at any time, so nothing has to be reachable behind such a
 * field that is not at the root itself. The library wants keys to get from the root type of one subgraph to
 * that of another. For the run such a field is a leaf, of a scalar that becomes the root again in the
 * supergraph.
 */
import { Kind, visit } from 'graphql'
import type { DocumentNode, ScalarTypeDefinitionNode, TypeNode } from 'graphql'
import { fieldSetOf } from '../subgraph/field-sets.ts'
import { federationDirectives, type ParsedSubgraph } from '../subgraph/subgraph.ts'
import { baseName } from '../subgraph/type-references.ts'

/** Documents without fields that return the query root, and how the fields come back. */
export type RootLeaf = {
  /** Same order as the input. */
  readonly documents: readonly DocumentNode[]
  readonly restore: (supergraph: DocumentNode) => DocumentNode
}

/** Replaces the query root by a scalar wherever a field returns it. */
export function withRootAsLeaf(
  subgraphs: readonly ParsedSubgraph[],
  documents: readonly DocumentNode[],
): RootLeaf {
  const returning = subgraphs.map(fieldsReturningRoot)
  const isUsed = subgraphs.some((subgraph, index) => isSelected(subgraph, returning[index] ?? []))
  if (isUsed || returning.every((fields) => fields.length === 0))
    return { documents, restore: (same) => same }
  let leaf = 'QueryRootLeaf'
  while (subgraphs.some(({ types }) => types.has(leaf))) leaf += 'X'
  const scalar: ScalarTypeDefinitionNode = {
    kind: Kind.SCALAR_TYPE_DEFINITION,
    name: { kind: Kind.NAME, value: leaf },
  }
  return {
    documents: documents.map((document, index) => {
      if (returning[index]?.length === 0) return document
      const renamed = renameFieldTypes(document, 'Query', leaf)
      return { ...renamed, definitions: [...renamed.definitions, scalar] }
    }),
    restore: (supergraph) =>
      visit(renameFieldTypes(supergraph, leaf, 'Query'), {
        ScalarTypeDefinition: (node) => (node.name.value === leaf ? null : undefined),
      }),
  }
}

function fieldsReturningRoot({ types }: ParsedSubgraph): readonly string[] {
  return [...types.values()].flatMap((type) =>
    [...type.fields.values()]
      .filter((field) => baseName(field.type) === 'Query')
      .map((field) => field.name.value),
  )
}

/** A selection with such a field in it is valid for a leaf and not for the root, or the other way round. */
function isSelected(subgraph: ParsedSubgraph, names: readonly string[]): boolean {
  if (names.length === 0) return false
  return [...subgraph.types.values()].some((type) =>
    [type, ...type.fields.values()].some((node) =>
      ['key', 'requires', 'provides'].some((directive) =>
        federationDirectives(subgraph, node, directive).some((one) => {
          let found =
            node !== type && directive === 'provides' && 'type' in node && baseName(node.type) === 'Query'
          const set = fieldSetOf(one)
          if (set !== null)
            visit(set, {
              Field: (field) => void (found ||= names.includes(field.name.value)),
            })
          return found
        }),
      ),
    ),
  )
}

function renameFieldTypes(document: DocumentNode, from: string, to: string): DocumentNode {
  return visit(document, {
    FieldDefinition: (node) =>
      baseName(node.type) === from ? { ...node, type: renameType(node.type, from, to) } : undefined,
  })
}

function renameType(type: TypeNode, from: string, to: string): TypeNode {
  if (type.kind === Kind.NAMED_TYPE)
    return type.name.value === from ? { ...type, name: { ...type.name, value: to } } : type
  if (type.kind === Kind.LIST_TYPE) return { ...type, type: renameType(type.type, from, to) }
  const inner = renameType(type.type, from, to)
  return inner.kind === Kind.NON_NULL_TYPE ? inner : { ...type, type: inner }
}

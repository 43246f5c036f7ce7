/**
 * Repair: the key fields of a Federation 1 extension, which it resolves although they are marked `@external`:
 * the mark only says that another subgraph owns the type. The library knows that too, but takes the mark at
 * its word where `@provides` names the field, and where the extension repeats no key. Without the mark it
 * judges all such fields alike.
 */
import { visit } from 'graphql'
import type { ASTNode, DocumentNode, ObjectTypeDefinitionNode, ObjectTypeExtensionNode } from 'graphql'
import { fieldSetOf, topLevelFields } from '../subgraph/field-sets.ts'
import {
  federationDirectives,
  isKeyField,
  readSubgraph,
  type ParsedSubgraph,
  type SubgraphType,
} from '../subgraph/subgraph.ts'

/** The subgraphs, whose Federation 1 extensions mark no key field as external. */
export function withOwnKeyFields(subgraphs: readonly ParsedSubgraph[]): readonly ParsedSubgraph[] {
  return subgraphs.map((subgraph) => {
    if (subgraph.link !== null) return subgraph
    const drop = (node: ObjectTypeDefinitionNode | ObjectTypeExtensionNode) => {
      const type = subgraph.types.get(node.name.value)
      if (type === undefined || !type.extended) return undefined
      return withoutExternalKeys(node, (field) => isKeyOfExtension(subgraph, type, field, subgraphs))
    }
    const document: DocumentNode = visit(subgraph.document, {
      ObjectTypeDefinition: drop,
      ObjectTypeExtension: drop,
    })
    return document === subgraph.document ? subgraph : readSubgraph(subgraph.name, document)
  })
}

/**
 * An extension without a key has the one of the type's owner. Nothing says who that is, so the first key of
 * each other subgraph counts.
 */
function isKeyOfExtension(
  subgraph: ParsedSubgraph,
  type: SubgraphType,
  fieldName: string,
  subgraphs: readonly ParsedSubgraph[],
): boolean {
  if (federationDirectives(subgraph, type, 'key').length > 0) return isKeyField(subgraph, type, fieldName)
  return subgraphs.some((other) => {
    const elsewhere = other === subgraph ? undefined : other.types.get(type.name)
    const [key] = elsewhere === undefined ? [] : federationDirectives(other, elsewhere, 'key')
    return key !== undefined && topLevelFields(fieldSetOf(key)).some(({ name }) => name.value === fieldName)
  })
}

function withoutExternalKeys(
  node: ObjectTypeDefinitionNode | ObjectTypeExtensionNode,
  isKey: (fieldName: string) => boolean,
): ASTNode | undefined {
  const isMarked = (directive: { readonly name: { readonly value: string } }) =>
    directive.name.value === 'external'
  const fields = node.fields ?? []
  if (!fields.some((field) => field.directives?.some(isMarked) === true && isKey(field.name.value)))
    return undefined
  return {
    ...node,
    fields: fields.map((field) =>
      isKey(field.name.value)
        ? { ...field, directives: (field.directives ?? []).filter((directive) => !isMarked(directive)) }
        : field,
    ),
  }
}

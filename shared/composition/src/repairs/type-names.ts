/**
 * Repair: types called like a member of `Object.prototype` (`constructor`, `hasOwnProperty`).
 *
 * The library looks type names up in plain objects when it gathers what is unsatisfiable, and stops at a
 * function it finds there. Such types have plain tokens as names for the run; messages and the supergraph get
 * their names back.
 */
import { Kind, visit } from 'graphql'
import type { DirectiveNode, DocumentNode } from 'graphql'

/** Documents without such type names, and the way back to the real names. */
export type TypeNameMapping = {
  readonly replaced: boolean
  /** Same order as the input. */
  readonly documents: readonly DocumentNode[]
  /** Puts the real names back into a message, or into a whole supergraph. */
  readonly restore: (text: string) => string
}

/** Replaces the names that would break the library; documents without such names stay as they are. */
export function mapTypeNames(documents: readonly DocumentNode[]): TypeNameMapping {
  const names = [...new Set(documents.flatMap(unsafeTypeNames))].sort()
  if (names.length === 0) return { replaced: false, documents, restore: (text) => text }
  const stem = unusedStem(documents)
  const tokens = new Map(names.map((name, index) => [name, `${stem}${String(index).padStart(4, '0')}`]))
  return {
    replaced: true,
    documents: documents.map((document) => renameTypes(document, tokens)),
    restore: (text) =>
      text.replaceAll(new RegExp(`${stem}(\\d{4})`, 'g'), (token, index) => names[Number(index)] ?? token),
  }
}

function unsafeTypeNames(document: DocumentNode): readonly string[] {
  return document.definitions.flatMap((node) => {
    if (node.kind === Kind.DIRECTIVE_DEFINITION || !('name' in node) || node.name === undefined) return []
    return node.name.value in Object.prototype ? [node.name.value] : []
  })
}

function unusedStem(documents: readonly DocumentNode[]): string {
  let stem = 'TypeNumber'
  while (documents.some((document) => document.loc?.source.body.includes(stem))) stem += 'X'
  return stem
}

function renameTypes(document: DocumentNode, tokens: ReadonlyMap<string, string>): DocumentNode {
  const renamed = <Node extends { readonly name: { readonly value: string } }>(
    node: Node,
  ): Node | undefined => {
    const token = tokens.get(node.name.value)
    return token === undefined ? undefined : { ...node, name: { ...node.name, value: token } }
  }
  const rename = { enter: renamed }
  return visit(document, {
    NamedType: rename,
    ObjectTypeDefinition: rename,
    ObjectTypeExtension: rename,
    InterfaceTypeDefinition: rename,
    InterfaceTypeExtension: rename,
    UnionTypeDefinition: rename,
    UnionTypeExtension: rename,
    ScalarTypeDefinition: rename,
    ScalarTypeExtension: rename,
    EnumTypeDefinition: rename,
    EnumTypeExtension: rename,
    InputObjectTypeDefinition: rename,
    InputObjectTypeExtension: rename,
    Directive: (node) => renameInFieldSet(node, tokens),
  })
}

/**
 * Type conditions inside of `fields: "… on Type { … }"`; a directive that is not federation's has no such
 * text.
 */
function renameInFieldSet(node: DirectiveNode, tokens: ReadonlyMap<string, string>): DirectiveNode {
  const mended = (node.arguments ?? []).map((argument) => {
    if (argument.name.value !== 'fields' || argument.value.kind !== Kind.STRING) return argument
    const value = argument.value.value.replaceAll(
      /(\.\.\.[\s,]*on[\s,]+)(\w+)/g,
      (text, before: string, name: string) => {
        const token = tokens.get(name)
        return token === undefined ? text : before + token
      },
    )
    return { ...argument, value: { ...argument.value, value } }
  })
  return { ...node, arguments: mended }
}

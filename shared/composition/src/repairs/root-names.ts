/**
 * Repair: root types get their default names, as they have in the supergraph. The library renames them too,
 * but stops at fields that return a renamed root type.
 */
import { visit } from 'graphql'
import type { DocumentNode } from 'graphql'
import { operationTypes } from '../documents/definitions.ts'
import { ROOT_NAMES } from '../model/names.ts'

/** The document with root types called `Query`, `Mutation` and `Subscription`. */
export function withDefaultRootNames(document: DocumentNode): DocumentNode {
  const renamed = new Map(
    operationTypes(document)
      .map(({ operation, type }) => [type.name.value, ROOT_NAMES[operation]] as const)
      .filter(([given, wanted]) => given !== wanted),
  )
  if (renamed.size === 0) return document
  // One type for two kinds of operations, or two for one, is a mistake that is reported as it is written.
  const given = operationTypes(document)
  const types = new Set(given.map(({ type }) => type.name.value))
  const operations = new Set(given.map(({ operation }) => operation))
  if (types.size < given.length || operations.size < given.length) return document
  const taken = new Set(
    document.definitions.flatMap((node) =>
      'name' in node && node.name !== undefined ? [node.name.value] : [],
    ),
  )
  // A type of its own by that name makes the rename a clash that the library reports better.
  for (const wanted of renamed.values()) if (taken.has(wanted)) return document
  const rename = { enter: renameNode }
  return visit(document, { NamedType: rename, ObjectTypeDefinition: rename, ObjectTypeExtension: rename })

  function renameNode<Node extends { readonly name: { readonly value: string } }>(
    node: Node,
  ): Node | undefined {
    const wanted = renamed.get(node.name.value)
    return wanted === undefined ? undefined : { ...node, name: { ...node.name, value: wanted } }
  }
}

/** Messages about a subgraph speak of its root types as it calls them. */
export function withWrittenRootNames(message: string, document: DocumentNode): string {
  let text = message
  for (const { operation, type } of operationTypes(document)) {
    const name = ROOT_NAMES[operation]
    if (name === type.name.value) continue
    text = text.replaceAll(new RegExp(`(?<=["( ])${name}(?=["(.]|$)`, 'g'), type.name.value)
  }
  return text
}

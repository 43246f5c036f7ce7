/**
 * Repair: where an `@interfaceObject` type stands. The library must meet it, with its keys, before any
 * selection that passes it; otherwise it takes it for an object type and stops.
 */
import { Kind } from 'graphql'
import type { DefinitionNode, DocumentNode } from 'graphql'
import { federationDirectives, isInterfaceObject, type ParsedSubgraph } from '../subgraph/subgraph.ts'

/** The document with interface objects, and all keys of theirs, before all other definitions. */
export function withInterfaceObjectsFirst(subgraph: ParsedSubgraph, document: DocumentNode): DocumentNode {
  const objects = [...subgraph.types.values()].filter((type) => isInterfaceObject(subgraph, type))
  if (objects.length === 0) return document
  const marked = new Set<string>()
  const first: DefinitionNode[] = []
  const others: DefinitionNode[] = []
  for (const node of document.definitions) {
    const isObject = node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION
    const type = isObject ? objects.find(({ name }) => name === node.name.value) : undefined
    if (!isObject || type === undefined) {
      others.push(node)
      continue
    }
    const keys = federationDirectives(subgraph, type, 'key')
    const rest = (node.directives ?? []).filter((directive) => !keys.includes(directive))
    const isMarked = federationDirectives(subgraph, node, 'interfaceObject').length > 0
    const holdsKeys = isMarked && !marked.has(type.name)
    if (holdsKeys) marked.add(type.name)
    const mended = { ...node, directives: holdsKeys ? [...rest, ...keys] : rest }
    if (isMarked) first.push(mended)
    else others.push(mended)
  }
  return { ...document, definitions: [...first, ...others] }
}

/** Selections as federation directives write them, in strings and without the outer braces. */
import { Kind, parse } from 'graphql'
import type { FieldNode, SelectionSetNode } from 'graphql'

/**
 * Returns the selections that a text such as `id organization { id }` holds; null if it is no selection set.
 */
export function parseFieldSet(text: string): SelectionSetNode | null {
  const braced = text.trim().startsWith('{') ? text : `{ ${text} }`
  try {
    const [operation] = parse(braced, { noLocation: true }).definitions
    return operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet : null
  } catch {
    return null
  }
}

/** Fields on the object itself, also those inside of fragments. */
export function topLevelFields(set: SelectionSetNode | null | undefined): readonly FieldNode[] {
  return (set?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node]
    return node.kind === Kind.INLINE_FRAGMENT ? topLevelFields(node.selectionSet) : []
  })
}

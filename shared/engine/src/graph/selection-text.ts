/** Parses the field sets of `key`, `requires` and `provides`. */
import { Kind, parse, type SelectionSetNode } from 'graphql'
import type { TypeId } from '../ids/ids.ts'
import { printArguments } from './canonical-arguments.ts'
import type { FieldSet, FieldSetItem } from './compiled/compiled-graph.ts'
import { SupergraphError } from './header/supergraph-error.ts'

type TypesByName = { get(name: string): TypeId | undefined }

/**
 * Parses a field set. `__typename` is left out, since representations have it anyway. Throws a
 * SupergraphError; `where` is the coordinate for its message.
 */
export function parseSelectionText(selection: string, where: string, typeByName: TypesByName): FieldSet {
  let set: SelectionSetNode
  try {
    const [definition] = parse(withBraces(selection), { noLocation: true }).definitions
    if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError('not a selection set')
    set = definition.selectionSet
  } catch (cause) {
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `The selection "${selection}" at ${where} cannot be parsed; expected fields as in a GraphQL selection set.`,
      { cause },
    )
  }
  return convert(set, where, typeByName)
}

/** Composers publish what an author wrote: braces may be there already, and a comment may end the text. */
function withBraces(selection: string): string {
  return /^(?:[\s,]|#[^\n\r]*[\n\r])*\{/.test(selection) ? selection : `{${selection}\n}`
}

function convert(set: SelectionSetNode, where: string, typeByName: TypesByName): FieldSet {
  const items: FieldSetItem[] = []
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) {
      if (node.name.value === '__typename') continue
      const sub = node.selectionSet === undefined ? null : convert(node.selectionSet, where, typeByName)
      items.push({ kind: 'field', name: node.name.value, args: printArguments(node.arguments), below: sub })
      continue
    }
    if (node.kind === Kind.FRAGMENT_SPREAD)
      throw new SupergraphError(
        'SUPERGRAPH_INVALID',
        `The selection at ${where} spreads the fragment "${node.name.value}"; only inline fragments are possible there.`,
      )
    const sub = convert(node.selectionSet, where, typeByName)
    if (node.typeCondition === undefined) {
      items.push(...sub)
      continue
    }
    const type = typeByName.get(node.typeCondition.name.value)
    if (type === undefined)
      throw new SupergraphError(
        'SUPERGRAPH_INVALID',
        `The selection at ${where} has a fragment on "${node.typeCondition.name.value}", which the supergraph does not define.`,
      )
    items.push({ kind: 'on', type, below: sub })
  }
  return items
}

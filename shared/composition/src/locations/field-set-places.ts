/**
 * Finds places inside of `fields: "…"`: a selection is a text of its own, and its offsets are counted from
 * the quote on.
 *
 * In a string with escapes and in a block string, the parsed text differs from the written one; the place is
 * then the whole string.
 */
import { Kind, parse, visit } from 'graphql'
import type {
  ASTNode,
  ConstDirectiveNode,
  DocumentNode,
  FieldNode,
  SelectionSetNode,
  StringValueNode,
} from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'
import { argument } from '../federation/federation-link.ts'
import type { ParsedSubgraph } from '../subgraph/subgraph.ts'
import { baseName } from '../subgraph/type-references.ts'
import { at, spanOf } from './place.ts'

/** The field or directive to look for in a selection. */
export type SelectionTarget =
  | { readonly kind: 'field'; readonly type: string; readonly field: string }
  | { readonly kind: 'directive'; readonly name: string }

/**
 * Returns the places of a target in a directive's field set, or the whole directive if no string in it holds
 * the target. `typeName` is the type of the outermost fields.
 */
export function placesInFieldSet(
  subgraph: ParsedSubgraph,
  directive: ConstDirectiveNode,
  typeName: string,
  target: SelectionTarget | null,
  label?: string,
): readonly SdlLocation[] {
  const text = argument(directive, 'fields')
  if (text?.kind !== Kind.STRING || text.loc === undefined) return at(subgraph, directive, label)
  const node = target === null ? null : findTarget(subgraph, text, typeName, target)
  const loc = node?.loc
  const { source, start } = text.loc
  if (loc === undefined || !isWrittenPlainly(text)) return at(subgraph, text, label)
  const offset = start + 1 - opened(text.value).length
  return [spanOf(subgraph.name, source, offset + loc.start, offset + loc.end, label)]
}

function isWrittenPlainly({ value, loc, block }: StringValueNode): boolean {
  return block !== true && loc !== undefined && loc.end - loc.start === value.length + 2
}

/** Selections are written without the outer braces, and some write them. */
function opened(text: string): string {
  return text.trim().startsWith('{') ? '' : '{ '
}

function findTarget(
  subgraph: ParsedSubgraph,
  { value }: StringValueNode,
  typeName: string,
  target: SelectionTarget,
): ASTNode | null {
  const open = opened(value)
  let document: DocumentNode
  try {
    document = parse(`${open}${value}${open === '' ? '' : ' }'}`)
  } catch {
    return null
  }
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return null
  if (target.kind === 'field')
    return findField(subgraph, operation.selectionSet, typeName, target)?.name ?? null
  let found: ASTNode | null = null
  visit(operation, {
    Directive: (node) => void (found ??= node.name.value === target.name ? node : null),
  })
  return found
}

function findField(
  subgraph: ParsedSubgraph,
  set: SelectionSetNode,
  typeName: string,
  target: Extract<SelectionTarget, { kind: 'field' }>,
): FieldNode | null {
  for (const node of set.selections) {
    if (node.kind === Kind.FRAGMENT_SPREAD) continue
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const found = findField(subgraph, node.selectionSet, node.typeCondition?.name.value ?? typeName, target)
      if (found !== null) return found
      continue
    }
    if (typeName === target.type && node.name.value === target.field) return node
    const field = subgraph.types.get(typeName)?.fields.get(node.name.value)
    const inner =
      node.selectionSet === undefined || field === undefined
        ? null
        : findField(subgraph, node.selectionSet, baseName(field.type), target)
    if (inner !== null) return inner
  }
  return null
}

/** Reads the selections that `@key`, `@requires` and `@provides` write as strings. */
import { Kind, print, type ConstDirectiveNode, type SelectionSetNode, type ValueNode } from 'graphql'
import { argument } from '../federation/federation-link.ts'
import { parseFieldSet } from './field-sets.ts'
import type { FieldSelection } from './model.ts'

/**
 * Values that may stand for a selection beside a string. Federation 1 also writes `fields: id` and
 * `fields: ["id", "sku"]`. In Federation 2 a requirement of one field was always taken without quotes.
 */
export type Unquoted = 'nothing' | 'name' | 'names'

/** The selection of a directive's argument `fields`; null if it is missing or no selection. */
export function readFieldSelection(
  node: ConstDirectiveNode | undefined,
  unquoted: Unquoted,
): FieldSelection | null {
  if (node === undefined) return null
  const text = textOf(argument(node, 'fields'), unquoted)
  const set = text === null ? null : parseFieldSet(text)
  return set === null ? null : { text: selectionText(set), set, node }
}

/** The text without outer braces on one line: `id organization { id }`. Strings in it stay as they are. */
export function selectionText(set: SelectionSetNode): string {
  return print(set)
    .replaceAll(STRINGS_AND_BREAKS, (found) => (found.startsWith('"') ? found : ' '))
    .slice('{ '.length, -' }'.length)
}

const STRINGS_AND_BREAKS = /"""[\s\S]*?(?<!\\)"""|"(?:[^"\\]|\\.)*"|\s*\n\s*/g

function textOf(value: ValueNode | undefined, unquoted: Unquoted): string | null {
  if (value?.kind === Kind.STRING) return value.value
  if (value?.kind === Kind.ENUM) return unquoted === 'nothing' ? null : value.value
  if (unquoted !== 'names' || value?.kind !== Kind.LIST) return null
  const names = value.values.map((one) =>
    one.kind === Kind.STRING || one.kind === Kind.ENUM ? one.value : null,
  )
  return names.includes(null) ? null : names.join(' ')
}

/** Reads the selections that `@key`, `@requires` and `@provides` write as strings. */
import { Kind, print, stripIgnoredCharacters, type ConstDirectiveNode, type ValueNode } from 'graphql'
import { argument } from '../federation/federation-link.ts'
import { parseFieldSet } from '../subgraph/field-sets.ts'
import type { FieldSelection } from './model.ts'

/** The selection of a directive's argument `fields`; null if it is missing or no selection. */
export function readFieldSelection(
  node: ConstDirectiveNode | undefined,
  isFederation1: boolean,
): FieldSelection | null {
  if (node === undefined) return null
  const text = textOf(argument(node, 'fields'), isFederation1)
  const set = text === null ? null : parseFieldSet(text)
  return set === null ? null : { text: stripIgnoredCharacters(print(set)).slice(1, -1), set, node }
}

/** Federation 1 also writes `fields: id` and `fields: ["id", "sku"]`. */
function textOf(value: ValueNode | undefined, isFederation1: boolean): string | null {
  if (value?.kind === Kind.STRING) return value.value
  if (!isFederation1) return null
  if (value?.kind === Kind.ENUM) return value.value
  if (value?.kind !== Kind.LIST) return null
  const names = value.values.map((one) =>
    one.kind === Kind.STRING || one.kind === Kind.ENUM ? one.value : null,
  )
  return names.includes(null) ? null : names.join(' ')
}

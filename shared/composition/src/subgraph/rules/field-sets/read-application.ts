/** Reads the selection of one application of `@key`, `@requires` or `@provides`, or tells why it has none. */
import { Kind, type ConstDirectiveNode, type ValueNode } from 'graphql'
import { argument } from '../../../federation/federation-link.ts'
import type { Place } from '../../../findings/finding.ts'
import { readFieldSelection } from '../../../model/field-selection.ts'
import type { FieldSelection, SubgraphModel } from '../../../model/model.ts'

/** The selection, or what is in its place. */
export type ReadApplication =
  | { readonly kind: 'selection'; readonly selection: FieldSelection }
  /** The argument is missing, which is reported elsewhere. */
  | { readonly kind: 'none' }
  | { readonly kind: 'no-text' }
  | { readonly kind: 'no-selection'; readonly at: Place }

/**
 * `selection` is what the model has of the application, or of the first one if a directive is repeated. In
 * Federation 1 a name or a list of names is a selection, too.
 */
export function readApplication(
  node: ConstDirectiveNode,
  selection: FieldSelection | null,
  model: SubgraphModel,
): ReadApplication {
  const value = argument(node, 'fields')
  if (value === undefined) return { kind: 'none' }
  const unquoted = model.minor === null ? 'names' : 'nothing'
  const own = selection?.node === node ? selection : readFieldSelection(node, unquoted)
  if (own !== null) return { kind: 'selection', selection: own }
  const isText = value.kind === Kind.STRING || (model.minor === null && isListOfNames(value))
  return isText ? { kind: 'no-selection', at: { node: value } } : { kind: 'no-text' }
}

function isListOfNames(value: ValueNode): boolean {
  if (value.kind !== Kind.LIST) return value.kind === Kind.ENUM
  return value.values.every(({ kind }) => kind === Kind.STRING || kind === Kind.ENUM)
}

/** The place of a node in the selection. */
export function within({ set, node }: FieldSelection, inner: Place['node']): Place {
  return { node, within: { selection: set, node: inner } }
}

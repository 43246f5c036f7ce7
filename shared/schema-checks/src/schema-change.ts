/** What differs between two client schemas, and what that means for operations that clients send today. */
import type { Change, CriticalityLevel } from '@graphql-inspector/core'
import type { GraphQLSchema } from 'graphql'
import { oneOfChanges, withBreakage } from './missed-breakage.ts'

/**
 * `breaking`: operations that were valid are not any more. `dangerous`: they stay valid, but answers may be new to the
 * client, such as an enum value that it does not know.
 */
export type Criticality = 'breaking' | 'dangerous' | 'safe'

export type SchemaChange = {
  readonly criticality: Criticality
  /** `FIELD_REMOVED` and the like. */
  readonly type: string
  /** Schema coordinate of what changed, with dots: `Product.price`, `Query.search.term`. Empty: the schema as a whole. */
  readonly path: string
  readonly message: string
}

const ORDER: readonly Criticality[] = ['breaking', 'dangerous', 'safe']

/** The most critical first, then by path. The library is loaded only when there is something to compare. */
export async function changesBetween(
  before: GraphQLSchema,
  after: GraphQLSchema,
): Promise<readonly SchemaChange[]> {
  const { diff } = await import('@graphql-inspector/core')
  const changes = await diff(before, after)
  return [...changes.map(toSchemaChange), ...oneOfChanges(before, after)]
    .map((change) => withBreakage(change, before, after))
    .sort(compareChanges)
}

export function groupByCriticality<Item extends { readonly criticality: Criticality }>(
  changes: readonly Item[],
): readonly { readonly criticality: Criticality; readonly changes: readonly Item[] }[] {
  return ORDER.map((criticality) => ({
    criticality,
    changes: changes.filter((change) => change.criticality === criticality),
  })).filter((group) => group.changes.length > 0)
}

const CRITICALITY: Readonly<Record<`${CriticalityLevel}`, Criticality>> = {
  BREAKING: 'breaking',
  DANGEROUS: 'dangerous',
  NON_BREAKING: 'safe',
}

function toSchemaChange({ criticality, type, path, message }: Change): SchemaChange {
  return { criticality: CRITICALITY[criticality.level], type: String(type), path: path ?? '', message }
}

function compareChanges(left: SchemaChange, right: SchemaChange): number {
  return (
    ORDER.indexOf(left.criticality) - ORDER.indexOf(right.criticality) ||
    compareTexts(left.path, right.path) ||
    compareTexts(left.type, right.type) ||
    compareTexts(left.message, right.message)
  )
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

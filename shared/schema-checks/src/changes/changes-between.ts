/** All that differs between two client schemas. */
import type { Change, CriticalityLevel } from '@graphql-inspector/core'
import type { GraphQLSchema } from 'graphql'
import { oneOfChanges, withBreakage } from './missed-breakage.ts'
import { CRITICALITIES, type Criticality, type SchemaChange } from './schema-change.ts'

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

const CRITICALITY: Readonly<Record<`${CriticalityLevel}`, Criticality>> = {
  BREAKING: 'breaking',
  DANGEROUS: 'dangerous',
  NON_BREAKING: 'safe',
}

function toSchemaChange({ criticality, type, path, message }: Change): SchemaChange {
  return { criticality: CRITICALITY[criticality.level], type: String(type), path: path ?? '', message }
}

/** The most critical first, then by path. */
export function compareChanges(left: SchemaChange, right: SchemaChange): number {
  return (
    CRITICALITIES.indexOf(left.criticality) - CRITICALITIES.indexOf(right.criticality) ||
    compareTexts(left.path, right.path) ||
    compareTexts(left.type, right.type) ||
    compareTexts(left.message, right.message)
  )
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

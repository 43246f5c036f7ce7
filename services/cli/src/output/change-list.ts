/**
 * Changes of client schemas as a list: the most critical first, each once, with the graphs and flags that see
 * it.
 */
import { type Criticality, groupByCriticality, type SchemaChange } from '@switchyard/schema-checks'
import { type GraphVariant, printVariants } from './graph-variant.ts'
import type { Style } from './style.ts'

/** A change, with the graphs and flags whose clients see it. */
export type PlacedChange = SchemaChange & {
  /** The compositions that have the change. Empty if there is only one composition. */
  readonly variants: readonly GraphVariant[]
}

/** The same change in several places becomes one. */
export function uniteChanges(changes: readonly (SchemaChange & GraphVariant)[]): readonly PlacedChange[] {
  const groups = new Map<string, PlacedChange & { readonly variants: GraphVariant[] }>()
  for (const { graph, featureFlag, criticality, type, path, message } of changes) {
    const key = JSON.stringify([criticality, type, path, message])
    const group = groups.get(key) ?? { criticality, type, path, message, variants: [] }
    group.variants.push({ graph, featureFlag })
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** The lines of the list, each with the indent in front. */
export function printChanges(changes: readonly PlacedChange[], style: Style, indent = ''): readonly string[] {
  return groupByCriticality(changes).flatMap(({ criticality, changes: group }) => [
    `${indent}${colour(criticality, style)(criticality)} (${group.length})`,
    ...group.flatMap(({ message, path, variants }) => [
      `${indent}  ${path === '' ? '' : `${path}: `}${message}`,
      ...(variants.length === 0 ? [] : [style.dim(`${indent}    in ${printVariants(variants)}`)]),
    ]),
  ])
}

/** `1 breaking change, 2 safe ones`. */
export function countChanges(changes: readonly SchemaChange[]): string {
  const counts = groupByCriticality(changes).map(
    ({ criticality, changes: { length } }, index) =>
      `${length} ${criticality}${index === 0 ? ` change${length === 1 ? '' : 's'}` : ''}`,
  )
  return counts.length === 0 ? 'no changes' : counts.join(', ')
}

function colour(criticality: Criticality, style: Style): (text: string) => string {
  switch (criticality) {
    case 'breaking':
      return style.red
    case 'dangerous':
      return style.yellow
    case 'safe':
      return style.green
    default:
      return criticality satisfies never
  }
}

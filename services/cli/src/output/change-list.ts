/** Changes of client schemas as a list: the most critical first, each once, with the graphs and flags that see it. */
import { type Criticality, groupByCriticality, type SchemaChange } from '@switchyard/schema-checks'
import type { Style } from './style.ts'

export type LabelledChange = SchemaChange & {
  /** Where it is seen: `shop`, `shop with flag next`. Empty when there is only one place. */
  readonly labels: readonly string[]
}

/** The same change in several places becomes one. */
export function uniteChanges(
  changes: readonly (SchemaChange & { readonly label: string })[],
): readonly LabelledChange[] {
  const groups = new Map<string, LabelledChange & { readonly labels: string[] }>()
  for (const { label, criticality, type, path, message } of changes) {
    const key = JSON.stringify([criticality, type, path, message])
    const group = groups.get(key) ?? { criticality, type, path, message, labels: [] }
    group.labels.push(label)
    groups.set(key, group)
  }
  return [...groups.values()]
}

export function printChanges(
  changes: readonly LabelledChange[],
  style: Style,
  indent = '',
): readonly string[] {
  return groupByCriticality(changes).flatMap(({ criticality, changes: group }) => [
    `${indent}${colour(criticality, style)(criticality)} (${group.length})`,
    ...group.flatMap(({ message, path, labels }) => [
      `${indent}  ${path === '' ? '' : `${path}: `}${message}`,
      ...(labels.length === 0 ? [] : [style.dim(`${indent}    in ${labels.join(', ')}`)]),
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

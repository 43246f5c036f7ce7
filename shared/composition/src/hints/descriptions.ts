/**
 * Hints about descriptions that differ between subgraphs. Clients see one of the texts, and no author has
 * decided which one.
 */
import type { StringValueNode } from 'graphql'
import type { CompositionHint } from '../contract/composition-result.ts'
import { isTypeNode } from '../documents/definitions.ts'
import { at, type Located } from '../locations/place.ts'
import { hint } from './hint.ts'
import type { SharedDefinition } from './shared-definitions.ts'

/** Hints about definitions whose descriptions differ between subgraphs. */
export function descriptionHints(
  located: readonly Located[],
  shared: readonly SharedDefinition[],
): readonly CompositionHint[] {
  const described = new Map(located.map((one) => [one, readDescriptions(one)]))
  return shared.flatMap(({ name, types, fields }) => [
    ...describedDifferently(
      name,
      types.map(({ one }) => one),
      types.map(({ one }) => described.get(one)?.get(name)),
    ),
    ...[...fields].flatMap(([field, found]) =>
      describedDifferently(
        `${name}.${field}`,
        found.map(({ one }) => one),
        found.map((item) => item.field.description),
      ),
    ),
  ])
}

/** Returns the first description of each type that has one. */
function readDescriptions({ subgraph }: Located): ReadonlyMap<string, StringValueNode> {
  const descriptions = new Map<string, StringValueNode>()
  for (const node of subgraph.document.definitions) {
    if (!isTypeNode(node) || !('description' in node) || node.description === undefined) continue
    if (!descriptions.has(node.name.value)) descriptions.set(node.name.value, node.description)
  }
  return descriptions
}

/** `descriptions` are in the order of the subgraphs. */
function describedDifferently(
  place: string,
  subgraphs: readonly Located[],
  descriptions: readonly (StringValueNode | undefined)[],
): readonly CompositionHint[] {
  const texts = new Set(descriptions.map((node) => node?.value.trim() ?? '').filter((text) => text !== ''))
  if (texts.size < 2) return []
  return [
    hint(
      'INCONSISTENT_DESCRIPTION',
      `"${place}" has different descriptions; clients see one of them.`,
      descriptions.flatMap((node, index) => {
        const one = subgraphs[index]
        return one === undefined ? [] : at(one, node)
      }),
    ),
  ]
}

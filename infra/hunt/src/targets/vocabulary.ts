import type { Grammar } from '../input/mutations.ts'
import { nodesOf, type Tree } from '../input/tree.ts'

/** All that stands in typical inputs, by category. */
export function vocabularyOf(
  typical: readonly Tree[],
  categoryOf: Grammar['categoryOf'],
): Readonly<Record<string, readonly Tree[]>> {
  const vocabulary: Record<string, Tree[]> = {}
  for (const tree of typical)
    for (const node of nodesOf(tree)) (vocabulary[categoryOf(node.kind)] ??= []).push(node)
  return vocabulary
}

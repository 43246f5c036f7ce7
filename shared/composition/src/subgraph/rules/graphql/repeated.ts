/** Finds names that are given more than once where each may be given once. */
import type { ASTNode, NameNode } from 'graphql'
import type { Place } from '../../../findings/finding.ts'

/** The nodes that share a name with another of the list, name by name. */
export function repeatedByName<Node extends { readonly name: NameNode }>(
  nodes: readonly Node[],
): readonly (readonly [name: string, nodes: readonly Node[]])[] {
  if (nodes.length < 2) return NONE
  const names = new Set<string>()
  for (const { name } of nodes) names.add(name.value)
  if (names.size === nodes.length) return NONE
  return [...Map.groupBy(nodes, ({ name }) => name.value)].filter(([, same]) => same.length > 1)
}

const NONE: readonly never[] = []

/** The places of nodes that repeat each other. */
export function repeatedAt(nodes: readonly ASTNode[]): readonly Place[] {
  return nodes.map((node, index) => ({ node, label: { kind: index === 0 ? 'first' : 'again' } }))
}

/** Finds names that are given more than once where each may be given once. */
import { Kind, type ASTNode, type ConstValueNode, type NameNode } from 'graphql'
import { finding, type Place, type SubgraphFinding } from '../../../findings/finding.ts'

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

/** Finds input objects in a value that give a field twice. */
export function* repeatedInputFields(value: ConstValueNode, coordinate: string): Iterable<SubgraphFinding> {
  const left = [value]
  for (let inner = left.pop(); inner !== undefined; inner = left.pop()) {
    if (inner.kind === Kind.LIST) for (const one of inner.values) left.push(one)
    if (inner.kind !== Kind.OBJECT) continue
    for (const field of inner.fields) left.push(field.value)
    for (const [field, same] of repeatedByName(inner.fields))
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'repeated-given-field', coordinate, field },
        repeatedAt(same.map(({ name }) => name)),
      )
  }
}

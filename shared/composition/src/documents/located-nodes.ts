/**
 * Finds where nodes stand that were parsed without locations.
 *
 * Schemas are kept without locations, which take more memory than the nodes themselves. When an error names
 * nodes, the text is parsed again, and both trees are walked side by side: the same parser made both, so that
 * nodes at the same path are the same.
 */
import { parse, type ASTNode } from 'graphql'

/** Returns the nodes of `text` with locations, by the wanted nodes of an earlier parse of the same text. */
export function locateNodes(
  text: string,
  document: ASTNode,
  wanted: ReadonlySet<ASTNode>,
): ReadonlyMap<ASTNode, ASTNode> {
  return wanted.size === 0 ? new Map() : pairNodes(document, parse(text), wanted)
}

/** Returns the nodes of a tree by the wanted nodes of an equal tree. */
export function pairNodes(
  tree: ASTNode,
  twin: ASTNode,
  wanted: ReadonlySet<ASTNode>,
): ReadonlyMap<ASTNode, ASTNode> {
  const found = new Map<ASTNode, ASTNode>()
  // A list of its own instead of recursion: texts of strangers may be nested deeply.
  const left: [ASTNode, ASTNode][] = [[tree, twin]]
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [node, located] = pair
    if (wanted.has(node)) found.set(node, located)
    const [own, other] = [childrenOf(node), childrenOf(located)]
    for (const [index, child] of own.entries()) {
      const counterpart = other[index]
      if (counterpart !== undefined) left.push([child, counterpart])
    }
  }
  return found
}

/** The nodes that a node holds, in the order in which the parser made them. */
function childrenOf(node: ASTNode): readonly ASTNode[] {
  const children: ASTNode[] = []
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc') continue
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (isNode(one)) children.push(one)
  }
  return children
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'kind' in value
}

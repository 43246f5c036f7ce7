/**
 * Inputs as trees, so that one set of mutations serves everything that has a grammar: documents as graphql-js
 * parses them, JSON, HTTP messages. Trees are never written to: mutated ones share all that did not change,
 * so that something repeated ten thousand times is one node in ten thousand places.
 */
export type Tree = { readonly kind: string; readonly [part: string]: unknown }

/** Which part of each node leads down to the next, and the index in it where the part is a list. */
export type Path = readonly { readonly part: string; readonly index: number | null }[]

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** Lists of nodes are recognized by name, since an empty one says nothing. */
export function listsOf(tree: Tree, categories: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(tree).filter((part) => part in categories && Array.isArray(tree[part]))
}

const sizes = new WeakMap<Tree, number>()

/** Nodes, each as often as it is in the tree. */
export function sizeOf(tree: Tree): number {
  let size = sizes.get(tree)
  if (size !== undefined) return size
  size = 1
  for (const part in tree) {
    const value = tree[part]
    if (Array.isArray(value)) for (const item of value) size += isTree(item) ? sizeOf(item) : 0
    else if (isTree(value)) size += sizeOf(value)
  }
  sizes.set(tree, size)
  return size
}

/** The node at this number, in document order, with the path to it. */
export function nodeAt(tree: Tree, number: number): { readonly node: Tree; readonly path: Path } {
  const path: { part: string; index: number | null }[] = []
  let node = tree
  let left = number
  descend: while (left > 0) {
    left--
    for (const part in node) {
      const value = node[part]
      const items: readonly unknown[] = Array.isArray(value) ? value : [value]
      for (const [index, item] of items.entries()) {
        if (!isTree(item)) continue
        const size = sizeOf(item)
        if (left < size) {
          path.push({ part, index: Array.isArray(value) ? index : null })
          node = item
          continue descend
        }
        left -= size
      }
    }
    break
  }
  return { node, path }
}

export function nodeOn(tree: Tree, path: Path): Tree {
  let node = tree
  for (const { part, index } of path) {
    const value = node[part]
    const next: unknown = index === null ? value : Array.isArray(value) ? value[index] : undefined
    if (!isTree(next)) return node
    node = next
  }
  return node
}

export function replaced(tree: Tree, path: Path, node: Tree): Tree {
  const [step, ...rest] = path
  if (step === undefined) return node
  const value = tree[step.part]
  if (step.index === null) return isTree(value) ? { ...tree, [step.part]: replaced(value, rest, node) } : tree
  if (!Array.isArray(value)) return tree
  const items: unknown[] = [...value]
  const item = items[step.index]
  if (isTree(item)) items[step.index] = replaced(item, rest, node)
  return { ...tree, [step.part]: items }
}

/** Returns the tree with other items in place of `removed` items of a list. */
export function spliced(
  tree: Tree,
  list: { readonly path: Path; readonly part: string },
  at: number,
  removed: number,
  items: readonly Tree[],
): Tree {
  const node = nodeOn(tree, list.path)
  const value = node[list.part]
  if (!Array.isArray(value)) return tree
  const changed: unknown[] = [...value.slice(0, at), ...items, ...value.slice(at + removed)]
  return replaced(tree, list.path, { ...node, [list.part]: changed })
}

/** All of them, in document order. */
export function* nodesOf(tree: Tree): Generator<Tree> {
  yield tree
  for (const part in tree) {
    const value = tree[part]
    for (const item of Array.isArray(value) ? value : [value]) if (isTree(item)) yield* nodesOf(item)
  }
}

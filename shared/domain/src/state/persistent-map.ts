/**
 * An immutable map from names to values: `set` and `delete` return a new map and share all but one path with
 * the old one.
 *
 * The fold keeps a state before and a state after every record; copying a `Map` of 2,000 subgraphs for each
 * of them would make a start quadratic. The shared parts also let `changedKeys` compare two states in the
 * time of their difference. A tree over the 32-bit hash of the key, 32 ways a level, 6 bits short of the
 * depth where collisions need care: nodes at the last level hold a list. Iteration order is that of the
 * hashes; a list that is shown has to be sorted.
 */
export class PersistentMap<Value> implements Iterable<readonly [string, Value]> {
  readonly size: number
  readonly #root: Node<Value> | null

  private constructor(root: Node<Value> | null, size: number) {
    this.#root = root
    this.size = size
  }

  static empty<Value>(): PersistentMap<Value> {
    return new PersistentMap<Value>(null, 0)
  }

  get(key: string): Value | undefined {
    const hash = hashOf(key)
    let node = this.#root
    for (let level = 0; node !== null; level += 1) {
      if (node.kind === 'leaf') return node.entries.find((entry) => entry[0] === key)?.[1]
      node = node.children[slot(hash, level)] ?? null
    }
    return undefined
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  set(key: string, value: Value): PersistentMap<Value> {
    const grown = this.has(key) ? 0 : 1
    return new PersistentMap(withEntry(this.#root, 0, hashOf(key), key, value), this.size + grown)
  }

  delete(key: string): PersistentMap<Value> {
    if (!this.has(key)) return this
    return new PersistentMap(withoutEntry(this.#root, 0, hashOf(key), key), this.size - 1)
  }

  [Symbol.iterator](): ArrayIterator<readonly [string, Value]> {
    return this.#entries().values()
  }

  keys(): readonly string[] {
    return this.#entries().map(([key]) => key)
  }

  values(): readonly Value[] {
    return this.#entries().map(([, value]) => value)
  }

  #entries(): readonly Entry<Value>[] {
    const entries: Entry<Value>[] = []
    collectEntries(this.#root, entries)
    return entries
  }

  /** Keys that are in one map only, or with different values (by identity) in both. */
  changedKeys(other: PersistentMap<Value>): ReadonlySet<string> {
    const changed = new Set<string>()
    collectChanges(this.#root, other.#root, changed)
    return changed
  }
}

type Entry<Value> = readonly [string, Value]
type Leaf<Value> = {
  readonly kind: 'leaf'
  readonly hash: number
  readonly entries: readonly Entry<Value>[]
}
type Branch<Value> = { readonly kind: 'branch'; readonly children: readonly (Node<Value> | null)[] }
type Node<Value> = Leaf<Value> | Branch<Value>

const BITS = 5
const WIDTH = 1 << BITS

function slot(hash: number, level: number): number {
  return (hash >>> (level * BITS)) & (WIDTH - 1)
}

/** FNV-1a over UTF-16 units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

function withEntry<Value>(
  node: Node<Value> | null,
  level: number,
  hash: number,
  key: string,
  value: Value,
): Node<Value> {
  if (node === null) return { kind: 'leaf', hash, entries: [[key, value]] }
  if (node.kind === 'leaf') {
    if (node.hash === hash) {
      return {
        kind: 'leaf',
        hash,
        entries: [...node.entries.filter((entry) => entry[0] !== key), [key, value]],
      }
    }
    return withEntry(branchAround(node, level), level, hash, key, value)
  }
  const children = node.children.slice()
  const index = slot(hash, level)
  children[index] = withEntry(children[index] ?? null, level + 1, hash, key, value)
  return { kind: 'branch', children }
}

function branchAround<Value>(leaf: Leaf<Value>, level: number): Branch<Value> {
  const children: (Node<Value> | null)[] = Array.from({ length: WIDTH }, () => null)
  children[slot(leaf.hash, level)] = leaf
  return { kind: 'branch', children }
}

function withoutEntry<Value>(
  node: Node<Value> | null,
  level: number,
  hash: number,
  key: string,
): Node<Value> | null {
  if (node === null) return null
  if (node.kind === 'leaf') {
    const entries = node.entries.filter((entry) => entry[0] !== key)
    return entries.length === 0 ? null : { kind: 'leaf', hash: node.hash, entries }
  }
  const children = node.children.slice()
  const index = slot(hash, level)
  children[index] = withoutEntry(children[index] ?? null, level + 1, hash, key)
  return children.every((child) => child === null) ? null : { kind: 'branch', children }
}

function collectEntries<Value>(node: Node<Value> | null, entries: Entry<Value>[]): void {
  if (node === null) return
  if (node.kind === 'leaf') entries.push(...node.entries)
  else for (const child of node.children) collectEntries(child, entries)
}

function collectChanges<Value>(
  left: Node<Value> | null,
  right: Node<Value> | null,
  changed: Set<string>,
): void {
  if (left === right) return
  if (left?.kind === 'branch' && right?.kind === 'branch') {
    for (let index = 0; index < WIDTH; index += 1) {
      collectChanges(left.children[index] ?? null, right.children[index] ?? null, changed)
    }
    return
  }
  const leftEntries: Entry<Value>[] = []
  const rightEntries: Entry<Value>[] = []
  collectEntries(left, leftEntries)
  collectEntries(right, rightEntries)
  const before = new Map(leftEntries)
  for (const [key, value] of rightEntries) {
    if (!before.has(key) || before.get(key) !== value) changed.add(key)
    before.delete(key)
  }
  for (const key of before.keys()) changed.add(key)
}

/**
 * Finds the nodes from which everything can be resolved, however deep a client asks.
 *
 * A node is complete if each field of its objects is resolved by some node that can be entered, and leads to
 * a node that is complete again. All nodes count as complete at first, so types may refer to themselves; then
 * each one that lacks something spoils what depends on it alone. A client that stands at a complete node can
 * go on whatever else there is, so only the other nodes need a closer look. The work is that of nodes and
 * edges.
 */
import { isComposite, namedType, type Node, type TypeId, typeOf } from '@switchyard/engine/moves'
import type { Entered } from './entered.ts'
import { enteredKey, type KeptPart, type KeptParts, type KnownParts } from './kept-parts.ts'
import type { Resolution } from './resolution.ts'
import { addConditions, TypesRead } from './types-read.ts'
import { visibleFields } from './visible.ts'

/** A node, or the nodes that can be entered from it for objects of one type. */
class Part {
  isComplete = true
  /** Needs that this part is one of the ways to meet. */
  readonly uses: Need[] = []
}

/** Something that a part needs: one of several other parts must be complete. */
type Need = { readonly of: Part; ways: number }

type Looked = { readonly node: Node; readonly object: TypeId | null; readonly part: Part }

/** Remembers which nodes are complete. */
export class CompleteNodes {
  readonly resolution: Resolution
  readonly #known: KnownParts | null
  readonly #nodes = new Map<Node, Part>()
  readonly #entered = new Map<Entered, Part>()
  /** Parts that were looked at, by their keys. */
  readonly #looked = new Map<string, Looked>()
  readonly #new: (() => void)[] = []
  readonly #spoilt: Part[] = []

  /** `known` is what was found out before, as far as it holds. */
  constructor(resolution: Resolution, known: KnownParts | null = null) {
    this.resolution = resolution
    this.#known = known
  }

  /** Whether everything can be resolved from the node. */
  has(node: Node): boolean {
    const part = this.#node(node)
    this.#settle()
    return part.isComplete
  }

  /** Whether a part that was complete before is so again. One that is gone is needed by nobody. */
  hasAgain({ type, sub, provided, object }: KeptPart): boolean {
    const { queryGraph } = this.resolution
    const { types } = queryGraph.graph.compiled
    if (types[type] === undefined || (object !== null && types[object] === undefined)) return true
    const node = queryGraph.node(type, sub, provided)
    if (object === null) return this.has(node)
    if (!node.knows.has(object) || queryGraph.asObject(node, object) !== node) return true
    const part = this.#enteredPart(node, object)
    this.#settle()
    return part.isComplete
  }

  /** The complete parts that were looked at. */
  kept(): KeptParts {
    const reads = new TypesRead(this.resolution.queryGraph.graph)
    const kept = new Map<string, KeptPart>()
    for (const [key, { node, object, part }] of this.#looked) {
      if (!part.isComplete) continue
      const { type, sub, provided } = node
      const read = new Set([type, ...(object === null ? [] : reads.of(object))])
      addConditions(provided ?? [], read)
      kept.set(key, { type, sub, provided, object, reads: [...read] })
    }
    return kept
  }

  /** Looks at all new parts, which brings up further ones, and then spreads what they lack. */
  #settle(): void {
    for (let look = this.#new.pop(); look !== undefined; look = this.#new.pop()) look()
    for (let part = this.#spoilt.pop(); part !== undefined; part = this.#spoilt.pop())
      for (const need of part.uses) if (--need.ways === 0) this.#spoil(need.of)
  }

  #spoil(part: Part): void {
    if (!part.isComplete) return
    part.isComplete = false
    this.#spoilt.push(part)
  }

  #need(of: Part, ways: readonly Part[]): void {
    const open = ways.filter(({ isComplete }) => isComplete)
    if (open.length === 0) this.#spoil(of)
    const need: Need = { of, ways: open.length }
    for (const way of open) way.uses.push(need)
  }

  #node(node: Node): Part {
    let part = this.#nodes.get(node)
    if (part === undefined) {
      const key = this.resolution.queryGraph.keyOf(node)
      const made = new Part()
      part = made
      this.#nodes.set(node, made)
      if (this.#known?.isComplete(key) !== true) {
        this.#looked.set(key, { node, object: null, part })
        this.#new.push(() => this.#lookAtNode(node, made))
      }
    }
    return part
  }

  #lookAtNode(node: Node, part: Part): void {
    const { queryGraph } = this.resolution
    for (const object of node.knows) {
      if (typeOf(queryGraph.graph, object).inaccessible && !node.interfaceObject) continue
      this.#need(part, [this.#enteredPart(queryGraph.asObject(node, object), object)])
    }
  }

  #enteredPart(node: Node, object: TypeId): Part {
    const key = enteredKey(this.resolution.queryGraph.keyOf(node), object)
    if (this.#known?.isComplete(key) === true) return new Part()
    const looked = this.#looked.get(key)
    if (looked !== undefined) return looked.part
    const entered = this.resolution.entered(node, object)
    let part = this.#entered.get(entered)
    if (part === undefined) {
      const made = new Part()
      part = made
      this.#entered.set(entered, made)
      this.#new.push(() => this.#lookAtEntered(entered, made))
    }
    this.#looked.set(key, { node, object, part })
    return part
  }

  #lookAtEntered(entered: Entered, part: Part): void {
    const { graph } = this.resolution.queryGraph
    if (!entered.isTold) this.#spoil(part)
    for (const { name, type } of visibleFields(graph, entered.object)) {
      if (!isComposite(graph, namedType(type))) {
        if (!this.resolution.hasLeaf([entered], entered.object, name)) this.#spoil(part)
        continue
      }
      const targets = this.resolution
        .resolvers([entered], entered.object, name)
        .flatMap(({ edge }) => edge.to ?? [])
      this.#need(
        part,
        [...new Set(targets)].map((target) => this.#node(target)),
      )
    }
  }
}

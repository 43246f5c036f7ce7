/**
 * Finds the nodes from which everything can be resolved, however deep a client asks.
 *
 * A node is complete if each field of its objects is resolved by some node that can be entered, and leads to
 * a node that is complete again. All nodes count as complete at first, so types may refer to themselves; then
 * each one that lacks something spoils what depends on it alone. A client that stands at a complete node can
 * go on whatever else there is, so only the other nodes need a closer look. The work is that of nodes and
 * edges.
 */
import { isComposite, namedType, type Node, typeOf } from '@switchyard/engine/moves'
import type { Entered } from './entered.ts'
import type { Resolution } from './resolution.ts'
import { visibleFields } from './visible.ts'

/** A node, or the nodes that can be entered from it for objects of one type. */
class Part {
  isComplete = true
  /** Needs that this part is one of the ways to meet. */
  readonly uses: Need[] = []
}

/** Something that a part needs: one of several other parts must be complete. */
type Need = { readonly of: Part; ways: number }

/** Remembers which nodes are complete. */
export class CompleteNodes {
  readonly #resolution: Resolution
  readonly #nodes = new Map<Node, Part>()
  readonly #entered = new Map<Entered, Part>()
  readonly #new: (() => void)[] = []
  readonly #spoilt: Part[] = []

  constructor(resolution: Resolution) {
    this.#resolution = resolution
  }

  /** Whether everything can be resolved from the node. */
  has(node: Node): boolean {
    const part = this.#node(node)
    this.#settle()
    return part.isComplete
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
      const made = new Part()
      part = made
      this.#nodes.set(node, made)
      this.#new.push(() => this.#lookAtNode(node, made))
    }
    return part
  }

  #lookAtNode(node: Node, part: Part): void {
    const { graph } = this.#resolution.queryGraph
    for (const object of node.knows) {
      if (typeOf(graph, object).inaccessible && !node.interfaceObject) continue
      const entered = this.#resolution.entered(this.#resolution.queryGraph.asObject(node, object), object)
      if (!entered.isTold) this.#spoil(part)
      this.#need(part, [this.#enteredPart(entered)])
    }
  }

  #enteredPart(entered: Entered): Part {
    let part = this.#entered.get(entered)
    if (part === undefined) {
      const made = new Part()
      part = made
      this.#entered.set(entered, made)
      this.#new.push(() => this.#lookAtEntered(entered, made))
    }
    return part
  }

  #lookAtEntered(entered: Entered, part: Part): void {
    const { graph } = this.#resolution.queryGraph
    for (const { name, type } of visibleFields(graph, entered.object)) {
      if (!isComposite(graph, namedType(type))) {
        if (!this.#resolution.hasLeaf([entered], entered.object, name)) this.#spoil(part)
        continue
      }
      const targets = this.#resolution
        .resolvers([entered], entered.object, name)
        .flatMap(({ edge }) => edge.to ?? [])
      this.#need(
        part,
        [...new Set(targets)].map((target) => this.#node(target)),
      )
    }
  }
}

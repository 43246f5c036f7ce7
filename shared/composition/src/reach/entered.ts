/** The nodes that can be entered from one node, for objects of one type. */
import type { FieldSet, KeyEdge, Node, QueryGraph, SubgraphId, TypeId } from '@switchyard/engine/moves'
import { Cell } from './cells.ts'

/** Facts about the graph that decide which nodes can be entered; `Resolution` knows them. */
export type KeyFacts = {
  readonly queryGraph: QueryGraph
  /** All query roots if this is the query type. */
  readonly queryRoots: (object: TypeId) => readonly Node[]
  /** Whether every field of a field set can be had. */
  readonly hasAll: (reader: Cell, standing: readonly Entered[], fieldSet: FieldSet) => boolean
  /** An equal starting point that was looked at before. */
  readonly sharedBy: (entered: Entered) => Entered | null
}

/**
 * Everything that can be asked about objects of one type that come from one node: the node itself, and the
 * nodes that are entered by keys. Each entered node may have the fields of further keys.
 */
export class Entered extends Cell {
  readonly source: Node
  readonly object: TypeId
  readonly #facts: KeyFacts
  readonly #nodes = new Map<SubgraphId, Node[]>()
  #pending: readonly KeyEdge[]
  #isTold: boolean
  #shared: Entered | null = null

  constructor(facts: KeyFacts, source: Node, object: TypeId) {
    super()
    this.source = source
    this.object = object
    this.#facts = facts
    this.#isTold = !source.interfaceObject
    const { queryGraph } = facts
    this.#add(source)
    for (const root of facts.queryRoots(object)) if (root.sub !== source.sub) this.#add(root)
    this.#pending = queryGraph
      .keyEdges(object)
      .filter(
        ({ tellsType, to }) => (source.interfaceObject || !tellsType) && to !== queryGraph.entry(source),
      )
  }

  /** Whether the runtime type of the objects can be known. An interface object does not tell it. */
  get isTold(): boolean {
    return this.#isTold
  }

  /** Another node that enters the same nodes and is entered by them; the same object if there is none. */
  get representative(): Entered {
    return this.#shared?.representative ?? this
  }

  /** The nodes of a subgraph that are entered: the type itself, or an interface object that stands for it. */
  nodesIn(sub: SubgraphId): readonly Node[] {
    return this.#shared?.nodesIn(sub) ?? this.#nodes.get(sub) ?? []
  }

  /** Ascending. */
  subgraphs(): readonly SubgraphId[] {
    return this.#shared?.subgraphs() ?? [...this.#nodes.keys()].sort((a, b) => a - b)
  }

  update(): boolean {
    if (this.#shared !== null) return true
    this.#shared = this.#facts.sharedBy(this)
    if (this.#shared !== null) {
      this.#pending = []
      return true
    }
    let hasGrown = false
    for (let before = -1; before !== this.#pending.length; ) {
      before = this.#pending.length
      this.#pending = this.#pending.filter((keyEdge) => !this.#enter(keyEdge))
      hasGrown ||= before !== this.#pending.length
    }
    return hasGrown
  }

  /** True if the key is of no further use: its node is entered. */
  #enter({ to, key, needsType, tellsType }: KeyEdge): boolean {
    if (this.nodesIn(to.sub).includes(to)) return true
    if (needsType && !this.#isTold) return false
    if (!this.#facts.hasAll(this, [this], key.fieldSet)) return false
    this.#add(to)
    this.#isTold ||= tellsType
    return true
  }

  #add(node: Node): void {
    const nodes = this.#nodes.get(node.sub)
    if (nodes === undefined) this.#nodes.set(node.sub, [node])
    else nodes.push(node)
  }
}

/** Whether the fields that a key or `@requires` needs can be had. */
import type { FieldEdge, FieldSet, Node, TypeId } from '@switchyard/engine/moves'
import { Cell } from './cells.ts'
import type { Entered, KeyFacts } from './entered.ts'

/** Whether a selection below a field can be had of the objects that some nodes give. */
type Covers = (reader: Cell, nodes: readonly Node[], type: TypeId, below: FieldSet) => boolean

/** Whether a selection below a field can be had of the objects that some nodes give. */
export class CoveredSelection extends Cell {
  value = false
  readonly #covers: Covers
  readonly #nodes: readonly Node[]
  readonly #type: TypeId
  readonly #below: FieldSet

  constructor(covers: Covers, nodes: readonly Node[], type: TypeId, below: FieldSet) {
    super()
    this.#covers = covers
    this.#nodes = nodes
    this.#type = type
    this.#below = below
  }

  update(): boolean {
    if (this.value) return false
    this.value = this.#covers(this, this.#nodes, this.#type, this.#below)
    return this.value
  }
}

/**
 * Whether a field with `@requires` can be asked for: its subgraph is entered once more, by a key, and what
 * the field requires is sent along.
 */
export class RequiredInputs extends Cell {
  value = false
  readonly #facts: KeyFacts
  readonly #entered: Entered
  readonly #node: Node
  readonly #edge: FieldEdge

  constructor(facts: KeyFacts, entered: Entered, node: Node, edge: FieldEdge) {
    super()
    this.#facts = facts
    this.#entered = entered
    this.#node = node
    this.#edge = edge
  }

  update(): boolean {
    if (this.value) return false
    this.#entered.readers.add(this)
    const { queryGraph } = this.#facts
    const target = queryGraph.entry(this.#node)
    const requires = this.#edge.requires?.fieldSet ?? []
    this.value =
      this.#has(requires) &&
      queryGraph
        .keyEdges(this.#entered.object)
        .some(
          ({ to, tellsType, needsType, key }) =>
            to === target && !tellsType && (!needsType || this.#entered.isTold) && this.#has(key.fieldSet),
        )
    return this.value
  }

  #has(fieldSet: FieldSet): boolean {
    return this.#facts.hasAll(this, [this.#entered], fieldSet)
  }
}

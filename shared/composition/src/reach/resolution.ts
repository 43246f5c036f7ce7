/**
 * Finds out what can be resolved for an object, from where it is known: the nodes that can be entered by
 * keys, and the fields that keys and `@requires` need for that, which may take further keys.
 *
 * A field with something selected below it may be asked of several subgraphs. So each leaf counts by itself:
 * one of the subgraphs has to have it. Subgraphs that do not know an object type give no objects of it.
 */
import {
  type FieldEdge,
  type FieldSet,
  type FieldSetItem,
  fieldOf,
  isComposite,
  namedType,
  type Node,
  type QueryGraph,
  type TypeId,
  typeOf,
} from '@switchyard/engine/moves'
import { type Cell, Cells } from './cells.ts'
import { Entered } from './entered.ts'
import { DeclaringSubgraphs } from './declaring-subgraphs.ts'
import { isSorted } from './sorted-selections.ts'
import { CoveredSelection, RequiredInputs } from './field-set-cells.ts'

/** A node that resolves a field, and the edge by which it does. */
export type Resolver = { readonly node: Node; readonly edge: FieldEdge }
type NamedField = Extract<FieldSetItem, { kind: 'field' }>

/** Answers for one setting of the override labels. All answers are remembered. */
export class Resolution {
  readonly queryGraph: QueryGraph
  readonly #cells = new Cells()
  readonly #entered = new Map<string, Entered>()
  /** The first node of each object type: others may turn out to be equal to it. */
  readonly #hubs = new Map<TypeId, Entered>()
  readonly #required = new Map<string, RequiredInputs>()
  readonly #covered = new Map<FieldSet, Map<string, CoveredSelection>>()
  readonly #declaring: DeclaringSubgraphs

  constructor(queryGraph: QueryGraph) {
    this.queryGraph = queryGraph
    this.#declaring = new DeclaringSubgraphs(queryGraph.graph)
  }

  /** The nodes that can be entered from a node, for objects of one type. */
  entered(node: Node, object: TypeId): Entered {
    const entered = this.#enteredFrom(node, object)
    this.#cells.settle()
    return entered.representative
  }

  /** The nodes that can be entered from each of several nodes, without repetition. */
  standing(nodes: readonly Node[], object: TypeId): readonly Entered[] {
    return [...new Set(nodes.map((node) => this.entered(node, object)))]
  }

  /** All query roots if this is the query type: they can be asked at any time. */
  queryRoots(object: TypeId): readonly Node[] {
    const { graph } = this.queryGraph
    if (object !== graph.compiled.roots.query) return []
    return typeOf(graph, object).presence.map(({ sub }) => this.queryGraph.node(object, sub, null))
  }

  /** The nodes that resolve a field of the objects. */
  resolvers(standing: readonly Entered[], object: TypeId, name: string): readonly Resolver[] {
    const found = new Map<Node, Resolver>()
    for (const entered of standing)
      this.#someResolver(entered, object, name, null, (resolver) => {
        found.set(resolver.node, resolver)
        return false
      })
    return [...found.values()]
  }

  /** Whether some node resolves a leaf of the objects. */
  hasLeaf(standing: readonly Entered[], object: TypeId, name: string, reader: Cell | null = null): boolean {
    return standing.some((entered) =>
      this.#someResolver(entered, object, name, reader, ({ edge }) => edge.to === null),
    )
  }

  /** Whether every field of a field set can be had for the objects. `reader` looks again if more can. */
  hasAll(reader: Cell, standing: readonly Entered[], fieldSet: FieldSet): boolean {
    const [first] = standing
    if (first === undefined) return false
    return fieldSet.every((item) => {
      if (item.kind === 'field') return this.#hasField(reader, standing, first.object, item)
      const { possible } = typeOf(this.queryGraph.graph, item.type)
      return !possible.includes(first.object) || this.hasAll(reader, standing, item.below)
    })
  }

  /** Whether a selection below a field can be had of the objects that the nodes give. */
  covers(reader: Cell, nodes: readonly Node[], type: TypeId, below: FieldSet): boolean {
    const { graph } = this.queryGraph
    const needsType = nodes.every(({ interfaceObject }) => interfaceObject) && isSorted(graph, type, below)
    return typeOf(graph, type).possible.every((object) => {
      if (nodes.some(({ knows }) => !knows.has(object))) return true
      const standing = nodes.map((node) => {
        const entered = this.#enteredFrom(this.queryGraph.asObject(node, object), object)
        entered.readers.add(reader)
        return entered
      })
      if (needsType && !standing.some(({ isTold }) => isTold)) return false
      return this.hasAll(reader, standing, below)
    })
  }

  /**
   * An equal starting point that was looked at before: each of the two can be entered from the other one. In
   * most graphs all nodes of a type are equal, because they share a key.
   */
  sharedBy(entered: Entered): Entered | null {
    const { source, object } = entered
    const hub = this.#hubs.get(object)
    if (hub === undefined || hub === entered || !isPlain(source)) return null
    if (!hub.nodesIn(source.sub).includes(source)) return null
    const isBack = this.queryGraph
      .keyEdges(object)
      .some(
        ({ to, tellsType, key }) =>
          to === hub.source && !tellsType && hasOwn(this.queryGraph, source, key.fieldSet),
      )
    if (!isBack) return null
    hub.readers.add(entered)
    return hub
  }

  #enteredFrom(node: Node, object: TypeId): Entered {
    const key = `${node.id}|${object}`
    const known = this.#entered.get(key)
    if (known !== undefined) return known
    const entered = new Entered(this, node, object)
    this.#entered.set(key, entered)
    this.#cells.add(entered)
    if (isPlain(node) && !this.#hubs.has(object)) this.#hubs.set(object, entered)
    return entered
  }

  #hasField(
    reader: Cell,
    standing: readonly Entered[],
    object: TypeId,
    { name, below }: NamedField,
  ): boolean {
    const { graph } = this.queryGraph
    const field = fieldOf(graph, object, name)
    if (field === undefined) return true
    const type = namedType(field.type)
    if (below === null || !isComposite(graph, type)) return this.hasLeaf(standing, object, name, reader)
    const targets = new Set<Node>()
    for (const entered of standing)
      this.#someResolver(entered, object, name, reader, ({ edge }) => {
        if (edge.to !== null) targets.add(edge.to)
        return false
      })
    return targets.size > 0 && this.#isCovered(reader, [...targets], type, below)
  }

  #isCovered(reader: Cell, nodes: readonly Node[], type: TypeId, below: FieldSet): boolean {
    let byNodes = this.#covered.get(below)
    if (byNodes === undefined) {
      byNodes = new Map()
      this.#covered.set(below, byNodes)
    }
    const key = nodes
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .join(',')
    let covered = byNodes.get(key)
    if (covered === undefined) {
      covered = new CoveredSelection((...question) => this.covers(...question), nodes, type, below)
      byNodes.set(key, covered)
      this.#cells.add(covered)
    }
    if (!covered.value) covered.readers.add(reader)
    return covered.value
  }

  /** Whether `test` holds for a node that resolves a field of the objects. */
  #someResolver(
    entered: Entered,
    object: TypeId,
    name: string,
    reader: Cell | null,
    test: (resolver: Resolver) => boolean,
  ): boolean {
    const isUsed = (node: Node): boolean => {
      const edge = this.queryGraph.edge(node, name)
      if (edge === null) return false
      if (edge.requires !== null && !this.#hasRequired(entered, node, edge, name, reader)) return false
      return test({ node, edge })
    }
    // What a `@provides` gives need not be declared.
    const { source } = entered
    const isDeclared = source.provided === null
    if (!isDeclared && isUsed(source)) return true
    return this.#declaring
      .of(object, name)
      .some((sub) => entered.nodesIn(sub).some((node) => (isDeclared || node !== source) && isUsed(node)))
  }

  #hasRequired(entered: Entered, node: Node, edge: FieldEdge, name: string, reader: Cell | null): boolean {
    const key = `${entered.source.id}|${entered.object}|${node.id}|${name}`
    let required = this.#required.get(key)
    if (required === undefined) {
      required = new RequiredInputs(this, entered, node, edge)
      this.#required.set(key, required)
      this.#cells.add(required)
      if (reader === null) this.#cells.settle()
    }
    if (reader !== null && !required.value) required.readers.add(reader)
    return required.value
  }
}

/** Whether a node is neither an interface object nor below a `@provides`. */
function isPlain({ interfaceObject, provided }: Node): boolean {
  return !interfaceObject && provided === null
}

/** Whether a node has plain fields of its own for a key. */
function hasOwn(queryGraph: QueryGraph, node: Node, fieldSet: FieldSet): boolean {
  return fieldSet.every((item) => {
    if (item.kind !== 'field' || item.below !== null) return false
    const edge = queryGraph.edge(node, item.name)
    return edge !== null && edge.to === null && edge.requires === null
  })
}

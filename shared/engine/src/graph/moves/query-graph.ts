/**
 * The query graph for one set of active override labels: nodes, field edges and key edges. All are made on
 * demand and kept for the life of the schema.
 *
 * A node is a type as one subgraph sees it. Below a `@provides` it is a node of its own, which has the
 * provided fields as well (`provided`). Nodes that still provide the same are one node, so types that refer
 * to themselves stay finite.
 */
import type { FieldSet, FieldSetItem, TypeRef } from '../compiled/compiled-graph.ts'
import { fieldOf, isComposite, presenceOf, type TypeGraph, typeOf } from '../graph.ts'
import { namedType } from '../compiled/named-type.ts'
import { fieldSetText } from './field-set-text.ts'
import type { SubgraphId, TypeId } from '../../ids/ids.ts'

/** A type as one subgraph sees it, perhaps below a `@provides`. */
export type Node = {
  readonly id: number
  /** The type's name in the subgraph: the interface itself for an interface object. */
  readonly type: TypeId
  readonly typeName: string
  readonly sub: SubgraphId
  /** Fields that a `@provides` further up adds here; null for none. */
  readonly provided: FieldSet | null
  readonly interfaceObject: boolean
  /**
   * Object types a value may have here; for an interface object those of the supergraph, itself if there are
   * none.
   */
  readonly runtime: readonly TypeId[]
  /** The same types as a set. */
  readonly knows: ReadonlySet<TypeId>
}

/** A field that a subgraph resolves on a node. */
export type FieldEdge = {
  /** The node of the field's type in the same subgraph; null for a leaf. */
  readonly to: Node | null
  readonly requires: { readonly text: string; readonly fieldSet: FieldSet } | null
  /** The field's type in the schema of the subgraph. */
  readonly type: TypeRef
}

/** A key by which a subgraph finds objects, so that they can be entered there by an entity call. */
export type KeyEdge = {
  readonly to: Node
  readonly key: { readonly text: string; readonly fieldSet: FieldSet }
  /** The type that representations name as `__typename`. */
  readonly representationType: TypeId
  /** The call can be made only for objects whose runtime type is known. */
  readonly needsType: boolean
  /**
   * The call tells the runtime type of the objects: it leads from an interface object to a subgraph that has
   * the interface as such.
   */
  readonly tellsType: boolean
}

/** Nodes and edges of one graph. */
export class QueryGraph {
  readonly graph: TypeGraph
  readonly labels: ReadonlySet<string>
  readonly #nodes = new Map<string, Node>()
  /** Nodes that are below no `@provides`, by type and subgraph: nearly all of them, used in every search. */
  readonly #plainNodes = new Map<number, Node>()
  /** The field edges of each node by field name, indexed by the node's id. */
  readonly #edges: Map<string, FieldEdge | null>[] = []
  readonly #keyEdges = new Map<TypeId, readonly KeyEdge[]>()
  readonly #disagree = new Map<string, boolean>()
  readonly #fieldSetTexts = new Map<FieldSet, string>()

  constructor(graph: TypeGraph, labels: ReadonlySet<string>) {
    this.graph = graph
    this.labels = labels
  }

  /** The node of a type in a subgraph; `provided`: the fields that a `@provides` further up adds. */
  node(type: TypeId, sub: SubgraphId, provided: FieldSet | null): Node {
    const kept = provided === null || provided.length === 0 ? null : provided
    if (kept === null) {
      const place = type * this.graph.compiled.subgraphs.length + sub
      let node = this.#plainNodes.get(place)
      if (node === undefined) {
        node = this.#makeNode(type, sub, null)
        this.#plainNodes.set(place, node)
      }
      return node
    }
    const key = `${type}|${sub}|${this.#textOf(kept)}`
    let node = this.#nodes.get(key)
    if (node === undefined) {
      node = this.#makeNode(type, sub, kept)
      this.#nodes.set(key, node)
    }
    return node
  }

  #makeNode(type: TypeId, sub: SubgraphId, provided: FieldSet | null): Node {
    const presence = presenceOf(this.graph, type, sub)
    const interfaceObject = presence?.interfaceObject ?? false
    const runtime = interfaceObject ? typeOf(this.graph, type).possible : (presence?.runtime ?? [])
    const id = this.#edges.length
    this.#edges.push(new Map())
    const typeName = typeOf(this.graph, type).name
    return { id, type, typeName, sub, provided, interfaceObject, runtime, knows: new Set(runtime) }
  }

  /** The node of the same objects once it is known that they are of this object type. */
  asObject(node: Node, object: TypeId): Node {
    if (node.interfaceObject) return node
    if (node.provided === null) return node.type === object ? node : this.node(object, node.sub, null)
    return this.node(object, node.sub, this.#providedFor(node.provided, object))
  }

  /** Names a node among all nodes of graphs in which types and subgraphs have the same ids. */
  keyOf({ type, sub, provided }: Node): string {
    return provided === null ? `${type}|${sub}` : `${type}|${sub}|${this.#textOf(provided)}`
  }

  /** The node that an entity call enters, where no `@provides` further up adds fields. */
  entry(node: Node): Node {
    return node.provided === null ? node : this.node(node.type, node.sub, null)
  }

  /** The field as the node's subgraph resolves it; null if the subgraph does not. */
  edge(node: Node, name: string): FieldEdge | null {
    const byName = this.#edges[node.id]
    let edge = byName?.get(name)
    if (edge === undefined) {
      edge = this.#makeEdge(node, name)
      byName?.set(name, edge)
    }
    return edge
  }

  /** All keys by which objects of this type can be entered, in any subgraph. */
  keyEdges(object: TypeId): readonly KeyEdge[] {
    let keyEdges = this.#keyEdges.get(object)
    if (keyEdges === undefined) {
      keyEdges = this.#makeKeyEdges(object)
      this.#keyEdges.set(object, keyEdges)
    }
    return keyEdges
  }

  /**
   * Whether subgraphs that declare the field may know different members of its type. Counted are all that
   * declare it, on the object or on one of its interfaces, also those that only provide it.
   */
  mayDisagree(object: TypeId, name: string): boolean {
    const key = `${object}|${name}`
    let answer = this.#disagree.get(key)
    if (answer === undefined) {
      const known = new Set<string>()
      for (const owner of [object, ...typeOf(this.graph, object).interfaces])
        for (const { sub, type } of fieldOf(this.graph, owner, name)?.edges ?? []) {
          const target = presenceOf(this.graph, namedType(type), sub)
          if (target !== undefined && !target.interfaceObject) known.add(target.runtime.join(','))
        }
      answer = known.size > 1
      this.#disagree.set(key, answer)
    }
    return answer
  }

  #makeEdge(node: Node, name: string): FieldEdge | null {
    const field = fieldOf(this.graph, node.type, name)
    if (field === undefined) return null
    const stated = field.edges.find((edge) => edge.sub === node.sub)
    const provided = (node.provided ?? []).filter(
      (item): item is FieldSetItem & { kind: 'field' } => item.kind === 'field' && item.name === name,
    )
    const isActive = stated === undefined || this.#active(stated)
    const own = stated !== undefined && !stated.external && isActive
    // A `@provides` gives what is external. Fields of the subgraph's own keep their terms below it, and those
    // that another subgraph has taken over remain with that one.
    const isGiven = provided.length > 0 && isActive && field.overridden?.includes(node.sub) !== true
    if (!own && !isGiven) return null
    const type = stated?.type ?? field.type
    const target = namedType(type)
    const requires = own ? stated.requires : null
    // A field with `@requires` comes with a call of its own, which is not below the `@provides`.
    const given = requires === null ? provided.flatMap((item) => item.below ?? []) : []
    const below = [...(own ? (stated.provides ?? []) : []), ...given]
    return { to: isComposite(this.graph, target) ? this.node(target, node.sub, below) : null, requires, type }
  }

  #active(edge: { readonly label: number; readonly wantLabel: boolean }): boolean {
    const label = this.graph.compiled.labels[edge.label]
    return label === undefined || this.labels.has(label) === edge.wantLabel
  }

  #makeKeyEdges(object: TypeId): readonly KeyEdge[] {
    const keyEdges: KeyEdge[] = []
    const type = typeOf(this.graph, object)
    for (const presence of type.presence) {
      // An interface that stands for itself has no objects where it is a real one.
      if (type.kind !== 'object' && !presence.interfaceObject) continue
      for (const key of presence.keys)
        if (key.resolvable)
          keyEdges.push({
            to: this.node(object, presence.sub, null),
            key,
            representationType: object,
            needsType: !presence.interfaceObject,
            tellsType: false,
          })
    }
    for (const id of type.interfaces)
      for (const presence of typeOf(this.graph, id).presence)
        for (const key of presence.keys) {
          if (!key.resolvable) continue
          if (presence.interfaceObject)
            keyEdges.push({
              to: this.node(id, presence.sub, null),
              key,
              representationType: id,
              needsType: false,
              tellsType: false,
            })
          else if (presence.runtime.includes(object))
            keyEdges.push({
              to: this.node(object, presence.sub, null),
              key,
              representationType: id,
              needsType: false,
              tellsType: true,
            })
        }
    return keyEdges
  }

  #providedFor(provided: FieldSet, object: TypeId): FieldSet {
    return provided.flatMap((item): FieldSet => {
      if (item.kind === 'field') return [item]
      return typeOf(this.graph, item.type).possible.includes(object)
        ? this.#providedFor(item.below, object)
        : []
    })
  }

  #textOf(fieldSet: FieldSet): string {
    let text = this.#fieldSetTexts.get(fieldSet)
    if (text === undefined) {
      text = fieldSetText(fieldSet)
      this.#fieldSetTexts.set(fieldSet, text)
    }
    return text
  }
}

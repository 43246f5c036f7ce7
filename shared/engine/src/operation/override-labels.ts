/**
 * Which labels of progressive overrides can matter to an operation: those that stand on a field it selects,
 * on a key of an object it may meet, or on what such a field requires. Conditions and the choices of the
 * planner are not looked at, so this holds for every plan of the operation. Labels elsewhere in the
 * supergraph never multiply its plans.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { CompiledType, FieldSet } from '../graph/compiled/compiled-graph.ts'
import { fieldOf, type Graph, isComposite, typeOf } from '../graph/graph.ts'
import { namedType } from '../graph/compiled/named-type.ts'
import type { TypeId } from '../ids/ids.ts'
import { fragmentsOf } from './fragments.ts'

/** The labels in ascending order. The document must be valid. */
export function overrideLabels(
  graph: Graph,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly string[] {
  if (graph.labels.length === 0) return []
  const collector = new LabelCollector(graph)
  collector.collect(document, operation)
  return graph.labels.filter((label) => collector.found.has(label))
}

class LabelCollector {
  readonly found = new Set<string>()
  readonly #graph: Graph
  readonly #fields = new Map<TypeId, Set<string>>()
  readonly #entered = new Set<TypeId>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  collect(document: DocumentNode, operation: OperationDefinitionNode): void {
    const fragments = fragmentsOf(document)
    const spread = new Set<FragmentDefinitionNode>()
    const walk = (set: SelectionSetNode, type: TypeId): void => {
      this.#enter(type)
      for (const node of set.selections) {
        if (node.kind === Kind.FIELD) {
          const target = this.#select(type, node.name.value)
          if (target !== null && node.selectionSet !== undefined) walk(node.selectionSet, target)
          continue
        }
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : undefined
        const body = node.kind === Kind.INLINE_FRAGMENT ? node : fragment
        if (body === undefined) continue
        if (fragment !== undefined) {
          if (spread.has(fragment)) continue
          spread.add(fragment)
        }
        const condition = body.typeCondition?.name.value
        const narrowed = condition === undefined ? type : this.#graph.typeByName.get(condition)
        if (narrowed !== undefined) walk(body.selectionSet, narrowed)
      }
    }
    walk(operation.selectionSet, this.#graph.compiled.roots[operation.operation])
  }

  /** Notes that objects of the type may be met: the fields of all their keys may be asked for. */
  #enter(type: TypeId): void {
    if (this.#entered.has(type)) return
    this.#entered.add(type)
    for (const object of typeOf(this.#graph, type).possible)
      for (const owner of this.#owners(object))
        for (const { keys } of owner.presence)
          for (const { fieldSet } of keys) this.#require(fieldSet, object)
  }

  /** Collects the labels of a field, and returns its type; null for a leaf and for an unknown field. */
  #select(type: TypeId, name: string): TypeId | null {
    let names = this.#fields.get(type)
    if (names === undefined) {
      names = new Set()
      this.#fields.set(type, names)
    }
    if (!names.has(name)) {
      names.add(name)
      for (const object of typeOf(this.#graph, type).possible)
        for (const owner of this.#owners(object)) this.#resolve(owner, object, name)
    }
    const field = fieldOf(this.#graph, type, name)
    const target = field === undefined ? undefined : namedType(field.type)
    return target !== undefined && isComposite(this.#graph, target) ? target : null
  }

  #resolve(owner: CompiledType, object: TypeId, name: string): void {
    const field = fieldOf(this.#graph, owner.id, name)
    if (field === undefined) return
    for (const { label, requires } of field.edges) {
      const text = this.#graph.compiled.labels[label]
      if (text !== undefined) this.found.add(text)
      if (requires !== null) this.#require(requires.fieldSet, object)
    }
    const target = namedType(field.type)
    if (isComposite(this.#graph, target)) this.#enter(target)
  }

  #require(fieldSet: FieldSet, type: TypeId): void {
    for (const item of fieldSet) {
      if (item.kind === 'on') {
        this.#require(item.below, item.type)
        continue
      }
      const target = this.#select(type, item.name)
      if (target !== null && item.below !== null) this.#require(item.below, target)
    }
  }

  /** The object type and its interfaces: a subgraph may have the field on an interface object. */
  #owners(object: TypeId): readonly CompiledType[] {
    const type = typeOf(this.#graph, object)
    return [type, ...type.interfaces.map((id) => typeOf(this.#graph, id))]
  }
}

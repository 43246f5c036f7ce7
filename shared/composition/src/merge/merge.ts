/** Merges the subgraphs of a graph, type by type. */
import type { KeptByType } from '../kept/kept.ts'
import type { Graph } from '../graph/graph.ts'
import type { GraphType } from '../graph/graph-types.ts'
import { mergeDirectives } from './merge-directives.ts'
import { mergeInterface, mergeObject, withAccessOfObjects } from './merge-fields-type.ts'
import { mergeInputType } from './merge-inputs.ts'
import { mergeEnum, mergeScalar, mergeUnion } from './merge-leaves.ts'
import { isFieldsType, type MergedFieldsType, type MergedGraph, type MergedType } from './merged.ts'
import { declarationsOfKind, hasFields } from '../graph/declarations.ts'

/** Merges the subgraphs of a graph. In `kept`, null stands for a type of which nothing is left. */
export function mergeSubgraphs(graph: Graph, kept: KeptByType<MergedType | null>): MergedGraph {
  const merger = new Merger(graph, kept)
  const types = new Map<string, MergedType>()
  for (const name of graph.types.names) {
    const merged = merger.type(name)
    if (merged !== null) types.set(name, merged)
  }
  return { types, ...mergeDirectives(graph.subgraphs) }
}

/** Merges the types of one graph. */
class Merger {
  readonly #graph: Graph
  readonly #kept: KeptByType<MergedType | null>

  constructor(graph: Graph, kept: KeptByType<MergedType | null>) {
    this.#graph = graph
    this.#kept = kept
  }

  type(name: string): MergedType | null {
    return this.#kept.of(name, () => this.#merge(this.#graph.types.of(name)))
  }

  #merge(type: GraphType): MergedType | null {
    const { facts } = this.#graph
    const { declarations } = type
    if (isInterface(type)) {
      const objects = type.mentions.flatMap(({ model }) => model.protecting)
      return withAccessOfObjects(mergeInterface(declarations.filter(hasFields), facts), objects)
    }
    const kind = declarations[0]?.model.kind
    if (kind === 'input') return mergeInputType(declarationsOfKind(declarations, 'input'), facts)
    if (kind === 'enum') return mergeEnum(declarationsOfKind(declarations, 'enum'), facts)
    if (kind === 'union') return mergeUnion(declarationsOfKind(declarations, 'union'))
    if (kind === 'scalar') return mergeScalar(declarationsOfKind(declarations, 'scalar'))
    const objects = declarations.filter(hasFields)
    const names = new Set(objects.flatMap(({ model }) => [...model.interfaces]))
    return objects.length === 0
      ? null
      : mergeObject(
          objects,
          [...names].flatMap((name) => this.#inherited(name)),
          facts,
        )
  }

  /** An interface of an object, if fields come to the object through interface objects. */
  #inherited(name: string): readonly MergedFieldsType[] {
    const type = this.#graph.types.of(name)
    if (!isInterface(type) || !type.declarations.some(({ model }) => isInterfaceObject(model))) return []
    const merged = this.type(name)
    return merged !== null && isFieldsType(merged) ? [merged] : []
  }
}

function isInterface({ declarations }: GraphType): boolean {
  return declarations.some(({ model }) => model.kind === 'interface' || isInterfaceObject(model))
}

function isInterfaceObject(model: GraphType['declarations'][number]['model']): boolean {
  return model.kind === 'object' && model.isInterfaceObject
}

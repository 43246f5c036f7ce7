/** Merges the subgraphs of a graph, type by type. */
import type { FieldsType, TypeModel } from '../model/model.ts'
import type { MergeFacts } from './facts.ts'
import { type Graph } from './graph.ts'
import { mergeDirectives } from './merge-directives.ts'
import { mergeInterface, mergeObject, withAccessOfObjects } from './merge-fields-type.ts'
import { mergeInputType } from './merge-inputs.ts'
import { mergeEnum, mergeScalar, mergeUnion } from './merge-leaves.ts'
import type { Declared, MergedFieldsType, MergedGraph, MergedType } from './merged.ts'
import { declarationsOfKind, hasFields } from './declarations.ts'

/** Merges the subgraphs of a graph that no rule has refused. */
export function mergeSubgraphs(graph: Graph): MergedGraph {
  const { facts, types: declarations } = graph
  const objects = objectsByInterface(declarations)
  const interfaces = new Map<string, MergedFieldsType>()
  const types = new Map<string, MergedType>()
  for (const [name, found] of declarations) {
    if (!isInterface(found)) continue
    const merged = mergeInterface(found.filter(hasFields), facts)
    interfaces.set(name, withAccessOfObjects(merged, objects.get(name) ?? []))
  }
  for (const [name, found] of declarations) {
    const merged = interfaces.get(name) ?? mergeType(found, interfaces, facts)
    if (merged !== null) types.set(name, merged)
  }
  return { types, ...mergeDirectives(graph.subgraphs) }
}

function objectsByInterface(
  declarations: ReadonlyMap<string, readonly Declared<TypeModel>[]>,
): ReadonlyMap<string, readonly FieldsType[]> {
  const found = new Map<string, FieldsType[]>()
  for (const declared of declarations.values())
    for (const { model } of declared) {
      if (model.kind !== 'object') continue
      for (const name of model.interfaces) {
        const known = found.get(name)
        if (known === undefined) found.set(name, [model])
        else known.push(model)
      }
    }
  return found
}

function isInterface(declarations: readonly Declared<TypeModel>[]): boolean {
  return declarations.some(
    ({ model }) => model.kind === 'interface' || (model.kind === 'object' && model.isInterfaceObject),
  )
}

function mergeType(
  declarations: readonly Declared<TypeModel>[],
  interfaces: ReadonlyMap<string, MergedFieldsType>,
  facts: MergeFacts,
): MergedType | null {
  const kind = declarations[0]?.model.kind
  if (kind === 'input') return mergeInputType(declarationsOfKind(declarations, 'input'), facts)
  if (kind === 'enum') return mergeEnum(declarationsOfKind(declarations, 'enum'), facts)
  if (kind === 'union') return mergeUnion(declarationsOfKind(declarations, 'union'))
  if (kind === 'scalar') return mergeScalar(declarationsOfKind(declarations, 'scalar'))
  const objects = declarations.filter(hasFields)
  const names = new Set(objects.flatMap(({ model }) => [...model.interfaces]))
  const inherited = [...names].flatMap((name) => {
    const found = interfaces.get(name)
    return found?.presence.some(({ isInterfaceObject }) => isInterfaceObject) === true ? [found] : []
  })
  return objects.length === 0 ? null : mergeObject(objects, inherited, facts)
}

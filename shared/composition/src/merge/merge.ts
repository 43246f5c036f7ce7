/** Merges the subgraphs of a graph, type by type. */
import type { FieldsType, SubgraphModel, TypeModel } from '../model/model.ts'
import { gatherFacts, type MergeFacts } from './facts.ts'
import { mergeDirectives } from './merge-directives.ts'
import { mergeInterface, mergeObject, withAccessOfObjects } from './merge-fields-type.ts'
import { mergeInputType } from './merge-inputs.ts'
import { mergeEnum, mergeScalar, mergeUnion } from './merge-leaves.ts'
import type { Declared, MergedFieldsType, MergedGraph, MergedType } from './merged.ts'

/**
 * Merges subgraphs that no rule has refused. `subgraphs` are in the order of their names; `positions` has the
 * position of each name that `@override(from:)` can mean, also of the subgraphs that features replace.
 */
export function mergeSubgraphs(
  subgraphs: readonly SubgraphModel[],
  positions: ReadonlyMap<string, number>,
): MergedGraph {
  const facts = gatherFacts(subgraphs, positions)
  const declarations = declarationsByType(subgraphs)
  const objects = objectsByInterface(declarations)
  const interfaces = new Map<string, MergedFieldsType>()
  const types = new Map<string, MergedType>()
  for (const [name, found] of declarations) {
    if (!isInterface(found)) continue
    const merged = mergeInterface(found.filter(isFieldsType), facts)
    interfaces.set(name, withAccessOfObjects(merged, objects.get(name) ?? []))
  }
  for (const [name, found] of declarations) {
    const merged = interfaces.get(name) ?? mergeType(found, interfaces, facts)
    if (merged !== null) types.set(name, merged)
  }
  return { types, ...mergeDirectives(subgraphs) }
}

function declarationsByType(
  subgraphs: readonly SubgraphModel[],
): ReadonlyMap<string, readonly Declared<TypeModel>[]> {
  const found = new Map<string, Declared<TypeModel>[]>()
  for (const [at, { types }] of subgraphs.entries())
    for (const [name, model] of types) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [{ at, model }])
      else known.push({ at, model })
    }
  return found
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

function isFieldsType(one: Declared<TypeModel>): one is Declared<FieldsType> {
  return one.model.kind === 'object' || one.model.kind === 'interface'
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
  const ofKind = <Kind extends TypeModel['kind']>(wanted: Kind) =>
    declarations.filter(
      (one): one is Declared<Extract<TypeModel, { kind: Kind }>> => one.model.kind === wanted,
    )
  if (kind === 'input') return mergeInputType(ofKind('input'), facts)
  if (kind === 'enum') return mergeEnum(ofKind('enum'), facts)
  if (kind === 'union') return mergeUnion(ofKind('union'))
  if (kind === 'scalar') return mergeScalar(ofKind('scalar'))
  const objects = declarations.filter(isFieldsType)
  const names = new Set(objects.flatMap(({ model }) => [...model.interfaces]))
  const inherited = [...names].flatMap((name) => {
    const found = interfaces.get(name)
    return found?.presence.some(({ isInterfaceObject }) => isInterfaceObject) === true ? [found] : []
  })
  return objects.length === 0 ? null : mergeObject(objects, inherited, facts)
}

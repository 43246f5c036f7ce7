/**
 * Hint: a `@provides` names fields that their owners do not share. Other composers refuse it, since two
 * subgraphs resolve the field then.
 */
import { Kind, type SelectionSetNode } from 'graphql'
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { Graph } from '../merge/graph.ts'
import type { Declared } from '../merge/merged.ts'
import type { FieldModel, FieldsType, SubgraphModel } from '../model/model.ts'
import { namedTypeOf } from '../model/names.ts'
import { keyNames } from './key-names.ts'
import { atName } from './places.ts'

/** Finds such provisions. */
export function* provisions(graph: Graph): Iterable<Finding> {
  const ownersOf = readOwners(graph)
  for (const [at, model] of graph.subgraphs.entries())
    for (const type of model.types.values()) {
      if (type.kind !== 'object' && type.kind !== 'interface') continue
      for (const field of type.fields.values())
        if (field.provides !== null) yield* ofProvision(at, model, type.name, field, ownersOf)
    }
}

function* ofProvision(
  at: number,
  model: SubgraphModel,
  type: string,
  field: FieldModel,
  ownersOf: OwnersOf,
): Iterable<Finding> {
  if (field.provides === null) return
  const provided = new Map<string, ProvidedField>()
  gatherProvided(model, namedTypeOf(field.type), field.provides.set, provided)
  for (const [coordinate, one] of provided) {
    const owners = ownersOf(one).filter((owner) => owner.at !== at)
    if (owners.length === 0) continue
    const facts = {
      field: `${type}.${field.name}`,
      subgraph: at,
      provided: coordinate,
      owners: owners.map((owner) => owner.at),
    }
    yield graphFinding('PROVIDED_FIELD_NOT_SHAREABLE', facts, [
      ...owners.map((owner) => atName(owner, { kind: 'not-shareable' })),
      { subgraph: at, node: field.provides.node, label: { kind: 'provided' } },
    ])
  }
}

/** A field that a selection names. */
type ProvidedField = { readonly type: string; readonly field: string }

/** Gathers the external fields that a selection on a type names, by their coordinates. */
function gatherProvided(
  model: SubgraphModel,
  typeName: string,
  set: SelectionSetNode,
  found: Map<string, ProvidedField>,
): void {
  const type = model.types.get(typeName)
  for (const node of set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT)
      gatherProvided(model, node.typeCondition?.name.value ?? typeName, node.selectionSet, found)
    if (node.kind !== Kind.FIELD || (type?.kind !== 'object' && type?.kind !== 'interface')) continue
    const field = type.fields.get(node.name.value)
    if (field === undefined) continue
    if (field.isExternal) found.set(`${typeName}.${field.name}`, { type: typeName, field: field.name })
    if (node.selectionSet !== undefined)
      gatherProvided(model, namedTypeOf(field.type), node.selectionSet, found)
  }
}

/**
 * Returns the subgraphs that resolve a field and do not share it. They are told up to a limit: with more than
 * one of them the graph does not compose anyway.
 */
type OwnersOf = (one: ProvidedField) => readonly Declared<FieldModel>[]

const MOST_OWNERS = 20

function readOwners({ types, subgraphs }: Graph): OwnersOf {
  const known = new Map<string, readonly Declared<FieldModel>[]>()
  return ({ type, field }) => {
    const coordinate = `${type}.${field}`
    const read = known.get(coordinate)
    if (read !== undefined) return read
    const found: Declared<FieldModel>[] = []
    for (const { at, model } of types.get(type) ?? []) {
      // In Federation 1 every field may be shared, and fields of interfaces are not resolved by themselves.
      if (model.kind !== 'object' || subgraphs[at]?.minor === null) continue
      const owned = model.fields.get(field)
      if (owned !== undefined && isUnshared(model, owned)) found.push({ at, model: owned })
      if (found.length === MOST_OWNERS) break
    }
    known.set(coordinate, found)
    return found
  }
}

function isUnshared(type: FieldsType, { name, isExternal, isShareable }: FieldModel): boolean {
  return !isExternal && !isShareable && !keyNames(type).has(name)
}

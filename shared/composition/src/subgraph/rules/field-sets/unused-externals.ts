/**
 * Rule: an external field is used by a key, a requirement, a provision or an interface. Otherwise its
 * declaration has no meaning.
 */
import { finding } from '../../../findings/finding.ts'
import type { FieldModel, FieldSelection, FieldsType, TypePart } from '../../../model/model.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { writtenName, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'
import { objectsOf, walkSelection } from './walk.ts'

/** Finds external fields without a use. In Federation 1 the directive says nothing about fields. */
export const unusedExternals: Rule = function* unusedExternals(subgraph) {
  if (subgraph.model.minor === null) return
  const candidates = subgraph.fieldsTypes.flatMap((type) =>
    type.kind === 'object'
      ? [...type.fields.values()].filter(({ isExternal }) => isExternal).map((field) => ({ type, field }))
      : [],
  )
  if (candidates.length === 0) return
  const used = usedFields(subgraph)
  for (const { type, field } of candidates) {
    if (used.has(field) || isNeededOtherwise(subgraph, type, field)) continue
    const node = appliedTo(field.applied, 'external') ?? field.node.name
    yield finding('EXTERNAL_UNUSED', { field: `${writtenName(type)}.${field.name}` }, [{ node }])
  }
}

/** Whatever keys, requirements and provisions select, and the fields of types with `@extends`. */
function usedFields(subgraph: CheckedSubgraph): ReadonlySet<FieldModel> {
  const { model } = subgraph
  const used = new Set<FieldModel>()
  const walk = (selection: FieldSelection | null, types: readonly FieldsType[]) => {
    if (selection === null) return
    for (const type of types)
      for (const { field } of walkSelection(model, selection.set, type, () => true))
        if (field !== null) used.add(field)
  }
  for (const type of subgraph.fieldsTypes) {
    for (const { fields } of type.keys) walk(fields, [type])
    for (const field of type.fields.values()) {
      walk(field.requires, [type])
      if (field.provides !== null) walk(field.provides, objectsOf(model, field))
    }
    for (const part of type.parts) if (isExtending(subgraph, part)) addFields(used, type, part)
  }
  return used
}

function isExtending({ names }: CheckedSubgraph, { directives }: TypePart): boolean {
  return directives?.some(({ name }) => names.directive(name.value)?.name === 'extends') === true
}

function addFields(used: Set<FieldModel>, type: FieldsType, part: TypePart): void {
  if (!('fields' in part)) return
  for (const { name } of part.fields ?? []) {
    const field = type.fields.get(name.value)
    if (field !== undefined) used.add(field)
  }
}

/** An interface of the type has the field, or the field returns an object that is shareable as a whole. */
function isNeededOtherwise({ model }: CheckedSubgraph, type: FieldsType, field: FieldModel): boolean {
  if (type.isInterfaceObject) return false
  const returned = model.types.get(namedTypeOf(field.type))
  if (returned?.kind === 'object' && appliedTo(returned.applied, 'shareable') !== undefined) return true
  return [...type.interfaces].some((name) => {
    const found = model.types.get(name)
    return found?.kind === 'interface' && found.fields.has(field.name)
  })
}

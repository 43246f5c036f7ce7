/**
 * Rule: an external field is used by a key, a requirement, a provision or an interface. Otherwise its
 * declaration has no meaning.
 */
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldModel, FieldSelection, FieldsType, TypePart } from '../../../model/model.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { writtenName, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'
import { objectsOf, walkSelections } from './walk.ts'

/** Finds external fields without a use. In Federation 1 the directive says nothing about fields. */
export const unusedExternals: Rule = function* unusedExternals(subgraph) {
  if (subgraph.model.minor === null) return
  const candidates = subgraph.fieldsTypes.flatMap((type) =>
    type.kind === 'object'
      ? [{ type, fields: [...type.fields.values()].filter(({ isExternal }) => isExternal) }]
      : [],
  )
  if (candidates.every(({ fields }) => fields.length === 0)) return
  const used = usedFields(subgraph)
  for (const { type, fields } of candidates)
    yield* unusedOf(
      subgraph,
      type,
      fields.filter((field) => !used.has(field)),
    )
}

function* unusedOf(
  subgraph: CheckedSubgraph,
  type: FieldsType,
  fields: readonly FieldModel[],
): Iterable<SubgraphFinding> {
  const ofInterfaces = fields.length === 0 ? null : fieldsOfInterfaces(subgraph, type, fields.length)
  for (const field of fields) {
    if (isSharedAsWhole(subgraph, field) || ofInterfaces?.(field.name) === true) continue
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
    for (const { field } of walkSelections(model, selection.set, types, () => true))
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

/** The field returns an object that is shareable as a whole. */
function isSharedAsWhole({ model }: CheckedSubgraph, field: FieldModel): boolean {
  const returned = model.types.get(namedTypeOf(field.type))
  return returned?.kind === 'object' && appliedTo(returned.applied, 'shareable') !== undefined
}

/** From so many fields on, the names of the fields of all interfaces are gathered before. */
const MANY_FIELDS = 16

/** Returns a function that tells whether an interface of the type has a field. */
function fieldsOfInterfaces(
  { model }: CheckedSubgraph,
  type: FieldsType,
  asked: number,
): (name: string) => boolean {
  const found = [...type.interfaces].flatMap((name) => {
    const one = type.isInterfaceObject ? undefined : model.types.get(name)
    return one?.kind === 'interface' ? [one] : []
  })
  if (asked < MANY_FIELDS) return (name) => found.some(({ fields }) => fields.has(name))
  const names = new Set(found.flatMap(({ fields }) => [...fields.keys()]))
  return (name) => names.has(name)
}

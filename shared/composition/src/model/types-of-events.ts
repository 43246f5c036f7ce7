/** Meanings that the types of a subgraph of events have, beyond what they say. */
import type { SelectionSetNode } from 'graphql'
import { topLevelFields } from './field-sets.ts'
import type { FieldModel, FieldsType, TypeModel } from './model.ts'
import { namedTypeOf } from './names.ts'
import { PUBLISH_RESULT } from '../events/event-directives.ts'

type Types = ReadonlyMap<string, TypeModel>

/**
 * Returns the types as they are meant. Events bring the keys of their objects, although authors mark these
 * with `@external`. And all subgraphs have the same result of publishing.
 */
export function asOfEvents(types: Types): Types {
  const inKeys = new Set<FieldModel>()
  for (const type of types.values())
    if (hasFields(type)) for (const { fields } of type.keys) addSelected(inKeys, types, type, fields.set)
  return new Map(
    [...types].map(([name, type]) => [name, hasFields(type) ? typeOfEvents(type, inKeys) : type]),
  )
}

function hasFields(type: TypeModel | undefined): type is FieldsType {
  return type?.kind === 'object' || type?.kind === 'interface'
}

function addSelected(found: Set<FieldModel>, types: Types, type: FieldsType, set: SelectionSetNode): void {
  for (const { name, selectionSet } of topLevelFields(set)) {
    const field = type.fields.get(name.value)
    if (field === undefined) continue
    found.add(field)
    const inner = types.get(namedTypeOf(field.type))
    if (selectionSet !== undefined && hasFields(inner)) addSelected(found, types, inner, selectionSet)
  }
}

function typeOfEvents(type: FieldsType, inKeys: ReadonlySet<FieldModel>): FieldsType {
  if (type.name === PUBLISH_RESULT) return withFields(type, (field) => ({ ...field, isShareable: true }))
  const isMeant = (field: FieldModel) => field.isExternal && inKeys.has(field)
  if (![...type.fields.values()].some(isMeant)) return type
  return withFields(type, (field) => (isMeant(field) ? { ...field, isExternal: false } : field))
}

function withFields(type: FieldsType, change: (field: FieldModel) => FieldModel): FieldsType {
  return { ...type, fields: new Map([...type.fields].map(([name, field]) => [name, change(field)])) }
}

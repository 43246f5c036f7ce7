/** Merges object types and interfaces. */
import type { Described, FieldsType } from '../model/model.ts'
import type { MergeFacts } from '../graph/facts.ts'
import { addAccess } from './access.ts'
import { strictest } from './cache-hints.ts'
import { addApplied, mergeApplied } from './merge-applied.ts'
import { mergeField } from './merge-field.ts'
import { mergeHead } from './merge-head.ts'
import type { Declared } from '../graph/declared.ts'
import type { MergedApplied, MergedField, MergedFieldsType, MergedHead, Presence } from './merged.ts'
import { declaredFields } from '../graph/declarations.ts'

/** Merges the declarations of an interface, of which some may be interface objects. */
export function mergeInterface(
  declarations: readonly Declared<FieldsType>[],
  facts: MergeFacts,
): MergedFieldsType {
  const fields = mergeFields(declarations, facts)
  return {
    ...fieldsTypeOf('interface', declarations),
    presence: declarations.flatMap((one) => presenceOf(one, facts)),
    fields,
    inheritable: fields,
  }
}

/**
 * Merges the declarations of an object type. `inherited` are the merged interfaces of the type that have an
 * interface object somewhere: what that object adds, all objects have.
 */
export function mergeObject(
  declarations: readonly Declared<FieldsType>[],
  inherited: readonly MergedFieldsType[],
  facts: MergeFacts,
): MergedFieldsType {
  const head = fieldsTypeOf('object', declarations)
  const merged = mergeFields(declarations, facts)
  const inheritedFields = Map.groupBy(
    inherited.flatMap(({ inheritable }) => inheritable),
    ({ name }) => name,
  )
  const own = new Set(merged.map(({ name }) => name))
  const added = [...inheritedFields.values()].flatMap(([field]) =>
    field === undefined || own.has(field.name) ? [] : [{ ...field, joins: [], isThroughInterface: true }],
  )
  return {
    ...head,
    presence: presenceOfObject(head.name, declarations, merged, facts),
    fields: [...merged, ...added].map((field) => withInherited(field, inheritedFields.get(field.name) ?? [])),
    inheritable: [],
  }
}

function fieldsTypeOf(
  kind: MergedFieldsType['kind'],
  declarations: readonly Declared<FieldsType>[],
): Omit<MergedFieldsType, 'presence' | 'fields' | 'inheritable'> {
  return {
    kind,
    ...mergeHead(declarations),
    interfaces: [...new Set(declarations.flatMap(({ model }) => [...model.interfaces]))],
    implementations: declarations.flatMap(({ at, model }) =>
      [...model.interfaces].map((name) => ({ at, interface: name })),
    ),
  }
}

/** The root of queries is there in every subgraph, since each can be asked for its own schema. */
function presenceOfObject(
  name: string,
  declarations: readonly Declared<FieldsType>[],
  fields: readonly MergedField[],
  facts: MergeFacts,
): readonly Presence[] {
  if (name === 'Query') return facts.subgraphs.map((_subgraph, at) => plainPresence(at))
  return declarations.flatMap((one) => (isPresent(one, fields) ? presenceOf(one, facts) : []))
}

/** An extension without a key of which no field is left says nothing. */
function isPresent({ at, model }: Declared<FieldsType>, fields: readonly MergedField[]): boolean {
  if (!model.isExtension || model.keys.length > 0) return true
  return fields.some(
    ({ name, joins }) =>
      model.fields.has(name) && (joins.length === 0 || joins.some((join) => join.at === at)),
  )
}

function plainPresence(at: number): Presence {
  return { at, key: null, isExtension: false, isResolvable: true, isInterfaceObject: false }
}

function presenceOf({ at, model }: Declared<FieldsType>, { subgraphs }: MergeFacts): readonly Presence[] {
  // In Federation 1 a key of an interface says nothing.
  const isKeyed = model.kind === 'object' || subgraphs[at]?.minor !== null
  if (!isKeyed || model.keys.length === 0)
    return [{ ...plainPresence(at), isInterfaceObject: model.isInterfaceObject }]
  return model.keys.map(({ fields, isResolvable }) => ({
    at,
    key: fields.text,
    isExtension: model.isExtension,
    isResolvable,
    isInterfaceObject: model.isInterfaceObject,
  }))
}

function mergeFields(
  declarations: readonly Declared<FieldsType>[],
  facts: MergeFacts,
): readonly MergedField[] {
  return [...declaredFields(declarations).values()].flatMap(
    (found) => mergeField(found, declarations.length, facts) ?? [],
  )
}

/**
 * Adds what the fields of the same name, that come from interface objects, ask for. A field that is external
 * wherever it is declared is resolved by them, so that all they say of it counts.
 */
function withInherited(field: MergedField, same: readonly MergedField[]): MergedField {
  if (same.length === 0) return field
  const isResolvedThere = field.joins.length > 0 && field.joins.every(({ isExternal }) => isExternal)
  const add = isResolvedThere ? addApplied : withTermsOf
  return {
    ...field,
    applied: same.reduce((applied, { applied: more }) => add(applied, more), field.applied),
    arguments: field.arguments.map((one) =>
      same.some(({ arguments: others }) =>
        others.some((other) => other.name === one.name && other.applied.isInaccessible),
      )
        ? { ...one, applied: { ...one.applied, isInaccessible: true } }
        : one,
    ),
  }
}

function withTermsOf(applied: MergedApplied, more: MergedApplied): MergedApplied {
  return {
    ...applied,
    access: addAccess(applied.access, more.access),
    cache: strictest(applied.cache, more.cache),
  }
}

/**
 * Interfaces ask for what their objects ask for, so that nobody sees through them what is protected. What one
 * object asks for is no demand of the others, so that none inherits it through the interface.
 */
export function withAccessOfObjects(
  type: MergedFieldsType,
  objects: readonly FieldsType[],
): MergedFieldsType {
  const fields = type.fields.map((field) =>
    withAccessOf(
      field,
      objects.flatMap(({ fields: own }) => own.get(field.name) ?? []),
    ),
  )
  return { ...withAccessOf(type, objects), fields }
}

function withAccessOf<Head extends MergedHead>(head: Head, models: readonly Described[]): Head {
  const access = models
    .filter(({ applied }) => applied.length > 0)
    .reduce((all, { applied }) => addAccess(all, mergeApplied([applied]).access), head.applied.access)
  return access === head.applied.access ? head : { ...head, applied: { ...head.applied, access } }
}

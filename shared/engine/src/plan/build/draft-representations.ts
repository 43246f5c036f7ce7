/** Builds the representations that a call sends, while the plan is a draft. */
import type { FieldSet } from '../../graph/compiled/compiled-graph.ts'
import { type Graph, typeOf } from '../../graph/graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { AssignedField, DraftRepresentation, DraftPosition, DraftRepresentationField } from './draft.ts'

/**
 * The goals as fields of a representation, each read where it is assigned. `keyFields` identify the object.
 */
export function representationFields(
  graph: Graph,
  assigned: ReadonlyMap<FieldGoal, AssignedField> | undefined,
  goals: readonly FieldGoal[],
  keyFields: FieldSet | null,
): readonly DraftRepresentationField[] {
  const fields = new Map<string, DraftRepresentationField>()
  for (const goal of goals) {
    const whole = goal.whole ?? goal
    const found = assigned?.get(whole)
    if (found === undefined || fields.has(whole.name)) continue
    const inKey = (keyFields ?? []).find((item) => item.kind === 'field' && item.name === whole.name)
    const key = inKey !== undefined
    const { nonNull } = whole.type
    if (whole.child === null || found.child === null) {
      const { provider, field } = found
      fields.set(whole.name, { kind: 'leaf', name: whole.name, provider, field, key, nonNull })
      continue
    }
    const below = inKey?.kind === 'field' ? inKey.below : null
    fields.set(whole.name, {
      kind: 'object',
      name: whole.name,
      position: found.child,
      key,
      nonNull,
      cases: nestedCases(graph, found.child, whole.child, below),
      withTypename: typeOf(graph, whole.child.type).kind !== 'object',
    })
  }
  return [...fields.values()]
}

function nestedCases(
  graph: Graph,
  position: DraftPosition,
  selection: Selection,
  keyFields: FieldSet | null,
): readonly DraftRepresentation[] {
  const holder: { readonly cases: DraftRepresentation[] } = { cases: [] }
  const flat = keyFields === null ? null : flattened(keyFields)
  for (const [object, goals] of selection.byType)
    addCase(holder, {
      types: new Set([object]),
      typename: typeOf(graph, object).name,
      anyType: false,
      fields: representationFields(
        graph,
        position.assignedByType.get(object),
        goals.filter((goal) => goal.kind === 'field'),
        flat,
      ),
    })
  return withoutTypes(position, typeOf(graph, selection.type).name, holder.cases)
}

/**
 * An interface object does not tell the types of its objects. Where no other provider tells them either, and
 * all types send the same, one representation is sent for all of them, with the name of the interface.
 */
function withoutTypes(
  position: DraftPosition,
  name: string,
  cases: readonly DraftRepresentation[],
): readonly DraftRepresentation[] {
  const [first] = position.providers
  const [one, ...others] = cases
  if (first?.node.interfaceObject !== true || position.providers.some(({ tellsType }) => tellsType))
    return cases
  if (one === undefined || !others.every(({ fields }) => sameFields(one.fields, fields))) return cases
  const types = new Set(cases.flatMap((item) => [...item.types]))
  return [{ types, typename: name, anyType: true, fields: one.fields }]
}

/** The fields without their type conditions: below one, a field belongs to the key as well. */
function flattened(fieldSet: FieldSet): FieldSet {
  return fieldSet.flatMap((item) => (item.kind === 'on' ? flattened(item.below) : [item]))
}

/** Adds a representation. Types that send the same under the same name share one. */
export function addCase(holder: { readonly cases: DraftRepresentation[] }, added: DraftRepresentation): void {
  const same = holder.cases.find(
    (known) =>
      known.typename === added.typename &&
      known.anyType === added.anyType &&
      sameFields(known.fields, added.fields),
  )
  if (same === undefined) holder.cases.push(added)
  else for (const type of added.types) same.types.add(type)
}

/** Whether two lists of fields are the same, in the same order. */
export function sameFields(
  a: readonly DraftRepresentationField[],
  b: readonly DraftRepresentationField[],
): boolean {
  return a.length === b.length && a.every((field, index) => sameField(field, b[index]))
}

/** Whether two fields are read from the same value, and have the same role. */
export function sameField(a: DraftRepresentationField, b: DraftRepresentationField | undefined): boolean {
  if (b === undefined || a.name !== b.name || a.key !== b.key) return false
  if (a.kind === 'leaf') return b.kind === 'leaf' && a.provider === b.provider && a.field === b.field
  return b.kind === 'object' && a.position === b.position && a.cases.length === b.cases.length
}

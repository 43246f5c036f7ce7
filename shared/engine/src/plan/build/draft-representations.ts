/** Builds the representations that a call sends, while the plan is a draft. */
import type { Sel } from '../../graph/compiled-graph.ts'
import { type Graph, typeOf } from '../../graph/graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalised.ts'
import type { Assigned, DraftCase, DraftPosition, DraftRepField } from './draft.ts'

/**
 * What is sent of an object: the goals, from wherever they are assigned to. `keySel`: which of them identify
 * it.
 */
export function representationFields(
  graph: Graph,
  assigned: ReadonlyMap<FieldGoal, Assigned> | undefined,
  goals: readonly FieldGoal[],
  keySel: Sel | null,
): readonly DraftRepField[] {
  const fields = new Map<string, DraftRepField>()
  for (const goal of goals) {
    const whole = goal.whole ?? goal
    const found = assigned?.get(whole)
    if (found === undefined || fields.has(whole.name)) continue
    const inKey = (keySel ?? []).find((item) => item.kind === 'field' && item.name === whole.name)
    const key = inKey !== undefined
    const { nonNull } = whole.type
    if (whole.child === null || found.child === null) {
      const { slot, field } = found
      fields.set(whole.name, { kind: 'leaf', name: whole.name, slot, field, key, nonNull })
      continue
    }
    const below = inKey?.kind === 'field' ? inKey.sub : null
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
  keySel: Sel | null,
): readonly DraftCase[] {
  const holder: { readonly cases: DraftCase[] } = { cases: [] }
  const flat = keySel === null ? null : flattened(keySel)
  for (const [object, goals] of selection.byType)
    addCase(holder, {
      types: new Set([object]),
      typename: typeOf(graph, object).name,
      anyType: false,
      fields: representationFields(
        graph,
        position.assigned.get(object),
        goals.filter((goal) => goal.kind === 'field'),
        flat,
      ),
    })
  return untyped(position, typeOf(graph, selection.type).name, holder.cases)
}

/**
 * An interface object does not tell what its objects are. Where all types send the same and nobody finds out
 * which it is, the object is sent under the name it has there.
 */
function untyped(position: DraftPosition, name: string, cases: readonly DraftCase[]): readonly DraftCase[] {
  const [first] = position.slots
  const [one, ...others] = cases
  if (first?.node.interfaceObject !== true || position.slots.some(({ discovers }) => discovers)) return cases
  if (one === undefined || !others.every(({ fields }) => sameFields(one.fields, fields))) return cases
  const types = new Set(cases.flatMap((item) => [...item.types]))
  return [{ types, typename: name, anyType: true, fields: one.fields }]
}

/** Fields below type conditions count as well when it is asked whether a field belongs to the key. */
function flattened(sel: Sel): Sel {
  return sel.flatMap((item) => (item.kind === 'on' ? flattened(item.sub) : [item]))
}

/** Types that send the same under the same name share a case. */
export function addCase(holder: { readonly cases: DraftCase[] }, added: DraftCase): void {
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
export function sameFields(a: readonly DraftRepField[], b: readonly DraftRepField[]): boolean {
  return a.length === b.length && a.every((field, index) => sameField(field, b[index]))
}

/** Whether two fields are read from the same value, and have the same role. */
export function sameField(a: DraftRepField, b: DraftRepField | undefined): boolean {
  if (b === undefined || a.name !== b.name || a.key !== b.key) return false
  if (a.kind === 'leaf') return b.kind === 'leaf' && a.slot === b.slot && a.field === b.field
  return b.kind === 'object' && a.position === b.position && a.cases.length === b.cases.length
}

/** Merges steps: calls for the same objects into one visit, and visits of one subgraph at one level into one request. */
import type { Graph } from '../graph/graph.ts'
import { printTypeRef } from '../graph/graph.ts'
import { sameField } from './builder.ts'
import { dependenciesOf } from './dependencies.ts'
import type { DocField, DocSelection } from './document.ts'
import type { DraftCase, DraftRepField, Slot, Step } from './draft.ts'
import type { TypeId } from './plan.ts'
import { scheduleSteps } from './schedule.ts'

/** Steps that become one request; steps of one part share an alias and their representations. */
export type Request = { readonly level: number; readonly parts: readonly (readonly Step[])[] }

/** Of very many different visits only so many are compared with the next one. */
const MAX_COMPARED = 24

/** Leaves one visit may fetch in vain so that two can share a part. */
const MAX_EXTRA_LEAVES = 8

/**
 * Two visits of the same objects in the same subgraph, ready at the same time and entered by the same key, are one:
 * typically one fetches plain fields and the other a field with `@requires`.
 */
export function mergeVisits(steps: readonly Step[], isObject: (type: TypeId) => boolean): readonly Step[] {
  const levels = scheduleSteps(dependenciesOf(steps, isObject))
  const groups = new Map<string, Slot[]>()
  const positions = new Set(steps.map((step) => step.position))
  const merged = new Set<Step>()
  for (const [index, position] of [...positions].entries())
    for (const slot of position.slots) {
      if (slot.source.kind !== 'step' || slot.source.step.kind !== 'entity') continue
      const { step } = slot.source
      const key = `${index}|${step.sub}|${step.barrier}|${levels.get(step) ?? 0}`
      const group = groups.get(key) ?? []
      groups.set(key, group)
      const into = group.find((other) => tryMerge(other, slot))
      if (into === undefined) group.push(slot)
      else merged.add(step)
    }
  return steps.filter((step) => !merged.has(step))
}

function tryMerge(into: Slot, slot: Slot): boolean {
  if (into.source.kind !== 'step' || slot.source.kind !== 'step') return false
  const cases = mergedCases(into.source.step.cases, slot.source.step.cases)
  if (cases === null) return false
  into.source.step.cases = cases
  for (const reason of slot.source.step.reasons) into.source.step.reasons.add(reason)
  into.doc.fields.push(...slot.doc.fields)
  into.doc.typename ||= slot.doc.typename
  into.discovers ||= slot.discovers
  slot.mergedInto = into
  return true
}

function mergedCases(a: readonly DraftCase[], b: readonly DraftCase[]): DraftCase[] | null {
  const types = new Set([...a, ...b].flatMap((item) => [...item.types]))
  const result: DraftCase[] = []
  for (const type of types) {
    const first = a.find((item) => item.types.has(type))
    const second = b.find((item) => item.types.has(type))
    const base = first ?? second
    if (base === undefined) return null
    let fields = base.fields
    if (first !== undefined && second !== undefined) {
      if (first.typename !== second.typename) return null
      const union = mergedFields(first.fields, second.fields)
      if (union === null) return null
      fields = union
    }
    const same = result.find(
      (item) =>
        item.typename === base.typename &&
        item.fields.length === fields.length &&
        item.fields.every((field, index) => sameField(field, fields[index])),
    )
    if (same === undefined)
      result.push({ types: new Set([type]), typename: base.typename, anyType: base.anyType, fields })
    else same.types.add(type)
  }
  // An interface object selects the same for all types: none may then miss what another one's field requires.
  return sameRepresentations(result, result) ? result : null
}

function mergedFields(
  a: readonly DraftRepField[],
  b: readonly DraftRepField[],
): readonly DraftRepField[] | null {
  const keys = (fields: readonly DraftRepField[]) =>
    fields
      .filter((field) => field.key)
      .map((field) => field.name)
      .sort()
      .join(' ')
  if (keys(a) !== keys(b)) return null
  const union = [...a]
  for (const field of b) {
    const same = a.find((other) => other.name === field.name)
    if (same === undefined) union.push(field)
    else if (!sameField(same, field)) return null
  }
  return union
}

export function batchSteps(
  graph: Graph,
  steps: readonly Step[],
  slotOf: (step: Step) => Slot,
  isObject: (type: TypeId) => boolean,
): readonly Request[] {
  const levels = scheduleSteps(dependenciesOf(steps, isObject))
  const groups = new Map<string, { level: number; parts: Step[][] }>()
  for (const step of steps) {
    const level = levels.get(step) ?? 0
    const key = `${level}|${step.barrier}|${step.sub}|${step.kind}`
    const group = groups.get(key) ?? { level, parts: [] }
    groups.set(key, group)
    const part =
      step.kind === 'root'
        ? undefined
        : group.parts.slice(-MAX_COMPARED).find((other) => shareable(graph, other, step, slotOf))
    if (part === undefined) group.parts.push([step])
    else part.push(step)
  }
  return [...groups.values()].sort((a, b) => a.level - b.level || subOf(a) - subOf(b))
}

function subOf(request: Request): number {
  return request.parts[0]?.[0]?.sub ?? 0
}

function shareable(graph: Graph, part: readonly Step[], step: Step, slotOf: (step: Step) => Slot): boolean {
  return part.every(
    (other) =>
      sameRepresentations(other.cases, step.cases) &&
      similar(graph, slotOf(other).doc, slotOf(step).doc, MAX_EXTRA_LEAVES),
  )
}

/**
 * For every `__typename` both send, the same fields. One sent under an interface's name may turn out to be of any type,
 * so it must not meet selections that another one's representations are made for.
 */
function sameRepresentations(a: readonly DraftCase[], b: readonly DraftCase[]): boolean {
  return a.every((first) =>
    b.every((second) =>
      first.typename === second.typename
        ? structure(first.fields) === structure(second.fields)
        : !first.anyType && !second.anyType,
    ),
  )
}

function structure(fields: readonly DraftRepField[]): string {
  return fields
    .map((field) =>
      field.kind === 'leaf'
        ? field.name
        : `${field.name}{${field.cases.map((item) => `${item.typename}:${structure(item.fields)}`).join(';')}}`,
    )
    .sort()
    .join(',')
}

/**
 * Same selection per type, but for a few leaves without arguments on one side. Nullable ones: a failing non-null field
 * would take the whole entity from a place that never asked for it.
 */
function similar(graph: Graph, a: DocSelection, b: DocSelection, allowance: number): boolean {
  const types = (selection: DocSelection) => new Set(selection.fields.flatMap((field) => [...field.on]))
  const others = types(b)
  const common = [...types(a)].filter((type) => others.has(type))
  return common.every((type) => {
    const first = texts(graph, a, type)
    const second = texts(graph, b, type)
    const onlyFirst = [...first].filter(([text]) => !second.has(text))
    const onlySecond = [...second].filter(([text]) => !first.has(text))
    if (onlyFirst.length > 0 && onlySecond.length > 0) return false
    const extra = [...onlyFirst, ...onlySecond]
    return (
      extra.length <= allowance &&
      extra.every(([, field]) => field.child === null && field.args === '' && !field.type.nonNull)
    )
  })
}

function texts(graph: Graph, selection: DocSelection, type: TypeId): ReadonlyMap<string, DocField> {
  return new Map(
    selection.fields.filter((field) => field.on.has(type)).map((field) => [textOf(graph, field), field]),
  )
}

function textOf(graph: Graph, field: DocField): string {
  const own = `${field.preferred}:${field.name}${field.args}:${printTypeRef(graph, field.type)}`
  if (field.child === null) return own
  const below = field.child.fields
    .map((child) => `${[...child.on].sort((a, b) => a - b).join('.')}:${textOf(graph, child)}`)
    .sort()
  return `${own}{${field.child.typename ? '__typename ' : ''}${below.join(' ')}}`
}

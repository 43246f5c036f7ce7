/**
 * Merges two calls of one subgraph for the same objects, if they are ready at the same time and use the same
 * key.
 *
 * Typically one of them fetches plain fields and the other one a field with `@requires`.
 */
import type { Budget } from '../../budget.ts'
import { dependenciesOf } from './dependencies.ts'
import type { DraftCase, DraftRepField, Slot, DraftCall } from './draft.ts'
import { sameField, sameFields } from './draft-representations.ts'
import type { TypeId } from '../../ids.ts'
import { sameRepresentations, structureOf } from './representation-structure.ts'
import { scheduleCalls } from './schedule-calls.ts'

/** A call is compared with at most so many different calls of its position. */
const MAX_COMPARED = 24

/** The calls that are left. */
export function mergeCalls(
  calls: readonly DraftCall[],
  isObject: (type: TypeId) => boolean,
  budget: Budget,
): readonly DraftCall[] {
  const levels = scheduleCalls(dependenciesOf(calls, isObject, budget), budget)
  const groups = new Map<string, Slot[]>()
  const positions = new Set(calls.map((call) => call.position))
  const merged = new Set<DraftCall>()
  for (const [index, position] of [...positions].entries())
    for (const slot of position.slots) {
      if (slot.source.kind !== 'call' || slot.source.call.kind !== 'entity') continue
      const { call } = slot.source
      const key = `${index}|${call.group}|${call.sub}|${call.barrier}|${levels.get(call) ?? 0}`
      const group = groups.get(key) ?? []
      groups.set(key, group)
      const into = group.slice(-MAX_COMPARED).find((other) => tryMerge(other, slot, budget))
      if (into === undefined) group.push(slot)
      else merged.add(call)
    }
  return calls.filter((call) => !merged.has(call))
}

function tryMerge(into: Slot, slot: Slot, budget: Budget): boolean {
  if (into.source.kind !== 'call' || slot.source.kind !== 'call') return false
  if (into.strict !== slot.strict && !sameTypes(into.source.call.cases, slot.source.call.cases)) return false
  budget.step((into.source.call.cases.length + slot.source.call.cases.length) / 2)
  const cases = mergedCases(into.source.call.cases, slot.source.call.cases)
  if (cases === null) return false
  into.source.call.cases = cases
  for (const reason of slot.source.call.reasons) into.source.call.reasons.add(reason)
  into.doc.fields.push(...slot.doc.fields)
  into.doc.typename ||= slot.doc.typename
  into.discovers ||= slot.discovers
  if (into.strict !== slot.strict) into.strict += slot.strict
  slot.mergedInto = into
  return true
}

function sameTypes(a: readonly DraftCase[], b: readonly DraftCase[]): boolean {
  const types = new Set(a.flatMap((item) => [...item.types]))
  const others = new Set(b.flatMap((item) => [...item.types]))
  return types.size === others.size && [...types].every((type) => others.has(type))
}

function mergedCases(a: readonly DraftCase[], b: readonly DraftCase[]): DraftCase[] | null {
  const firsts = byType(a)
  const seconds = byType(b)
  const result: DraftCase[] = []
  const alike = new Map<string, DraftCase[]>()
  for (const type of new Set([...firsts.keys(), ...seconds.keys()])) {
    const first = firsts.get(type)
    const second = seconds.get(type)
    const base = first ?? second
    if (base === undefined) return null
    let fields = base.fields
    if (first !== undefined && second !== undefined) {
      if (first.typename !== second.typename) return null
      const union = mergedFields(first.fields, second.fields)
      if (union === null) return null
      fields = union
    }
    const text = `${base.typename}:${structureOf(fields)}`
    const candidates = alike.get(text) ?? []
    alike.set(text, candidates)
    const same = candidates.find((item) => sameFields(item.fields, fields))
    if (same === undefined) {
      const added = { types: new Set([type]), typename: base.typename, anyType: base.anyType, fields }
      result.push(added)
      candidates.push(added)
    } else same.types.add(type)
  }
  // An interface object selects the same for all types: none may then miss what another one's field requires.
  return sameRepresentations(result, result) ? result : null
}

function byType(cases: readonly DraftCase[]): ReadonlyMap<TypeId, DraftCase> {
  const result = new Map<TypeId, DraftCase>()
  for (const item of cases) for (const type of item.types) if (!result.has(type)) result.set(type, item)
  return result
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

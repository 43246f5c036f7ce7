/**
 * Merges two calls of one subgraph for the same objects, if they are ready at the same time and use the same
 * key.
 *
 * Typically one of them fetches plain fields and the other one a field with `@requires`.
 */
import type { Budget } from '../../work/planning-budget.ts'
import { dependenciesOf } from './dependencies.ts'
import type { DraftRepresentation, DraftRepresentationField, DraftProvider, DraftCall } from './draft.ts'
import { sameField, sameFields } from './draft-representations.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { PlanPreference } from '../contract/plan.ts'
import { sameRepresentations, structureOf } from './representation-structure.ts'
import { scheduleCalls } from './schedule-calls.ts'

/** Most different calls of its position that a call is compared with. */
const MAX_COMPARED = 24

/** Merges the calls of a draft where possible, and returns those that are left. */
export function mergeCalls(
  calls: readonly DraftCall[],
  isObject: (type: TypeId) => boolean,
  prefer: PlanPreference,
  budget: Budget,
): readonly DraftCall[] {
  const levels = scheduleCalls(dependenciesOf(calls, isObject, budget), prefer, budget)
  const groups = new Map<string, DraftProvider[]>()
  const positions = new Set(calls.map((call) => call.position))
  const merged = new Set<DraftCall>()
  for (const [index, position] of [...positions].entries())
    for (const provider of position.providers) {
      if (provider.source.kind !== 'call' || provider.source.call.kind !== 'entity') continue
      const { call } = provider.source
      const key = `${index}|${call.group}|${call.subgraph}|${call.barrier}|${levels.get(call) ?? 0}`
      const group = groups.get(key) ?? []
      groups.set(key, group)
      const into = group.slice(-MAX_COMPARED).find((other) => tryMerge(other, provider, budget))
      if (into === undefined) group.push(provider)
      else merged.add(call)
    }
  return calls.filter((call) => !merged.has(call))
}

/** Merges the call of a provider into that of another one, and tells whether that was possible. */
function tryMerge(into: DraftProvider, provider: DraftProvider, budget: Budget): boolean {
  if (into.source.kind !== 'call' || provider.source.kind !== 'call') return false
  if (
    into.nonNullFields !== provider.nonNullFields &&
    !sameTypes(into.source.call.cases, provider.source.call.cases)
  )
    return false
  budget.step((into.source.call.cases.length + provider.source.call.cases.length) / 2)
  const cases = mergedCases(into.source.call.cases, provider.source.call.cases)
  if (cases === null) return false
  into.source.call.cases = cases
  for (const reason of provider.source.call.reasons) into.source.call.reasons.add(reason)
  into.document.fields.push(...provider.document.fields)
  into.document.typename ||= provider.document.typename
  into.tellsType ||= provider.tellsType
  if (into.nonNullFields !== provider.nonNullFields) into.nonNullFields += provider.nonNullFields
  provider.mergedInto = into
  return true
}

function sameTypes(a: readonly DraftRepresentation[], b: readonly DraftRepresentation[]): boolean {
  const types = new Set(a.flatMap((item) => [...item.types]))
  const others = new Set(b.flatMap((item) => [...item.types]))
  return types.size === others.size && [...types].every((type) => others.has(type))
}

/** The representations of both calls; null if they send different ones for one type. */
function mergedCases(
  a: readonly DraftRepresentation[],
  b: readonly DraftRepresentation[],
): DraftRepresentation[] | null {
  const firsts = byType(a)
  const seconds = byType(b)
  const result: DraftRepresentation[] = []
  const alike = new Map<string, DraftRepresentation[]>()
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
  // An interface object is asked the same for all types, so no type may lack what a field requires.
  return sameRepresentations(result, result) ? result : null
}

function byType(cases: readonly DraftRepresentation[]): ReadonlyMap<TypeId, DraftRepresentation> {
  const result = new Map<TypeId, DraftRepresentation>()
  for (const item of cases) for (const type of item.types) if (!result.has(type)) result.set(type, item)
  return result
}

/** The fields of both representations; null if they differ in the key or in where a field is read. */
function mergedFields(
  a: readonly DraftRepresentationField[],
  b: readonly DraftRepresentationField[],
): readonly DraftRepresentationField[] | null {
  const keys = (fields: readonly DraftRepresentationField[]) =>
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

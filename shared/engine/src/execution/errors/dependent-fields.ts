import type { FieldSet } from '../../graph/compiled/compiled-graph.ts'
import type { Graph } from '../../graph/graph.ts'
import { NO_RUNTIME_TYPE, type PositionId, type TypeId } from '../../ids/ids.ts'
import type { Fetch, RepresentationCase, RepresentationField, ShapeField } from '../../plan/contract/plan.ts'
import { type PreparedPlan, possibleFields } from '../joining/prepared-plan.ts'

/**
 * Something that a subgraph was asked for, be it selected by the client or not: a leaf of a provider, or an
 * object.
 */
export type Target =
  | { readonly kind: 'leaf'; readonly position: PositionId; readonly slot: number; readonly key: string }
  | { readonly kind: 'object'; readonly position: PositionId }

/** A field that the client selected, and that is not computed as it should be without a target. */
export type DependentField = {
  readonly at: PositionId
  readonly key: string
  /** The target is part of the key by which the fetch of the field finds the object. */
  readonly isKey: boolean
}

type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/**
 * The fields of the client for which the router selected a target: those whose `@requires` names it, and
 * those whose fetch sends it as part of a key. Empty if no later fetch sends the target. A key may lead to
 * another key, and several may lead to the same; each is followed once.
 */
export function dependentFields(
  graph: Graph,
  prepared: PreparedPlan,
  target: Target,
): readonly DependentField[] {
  const fields: DependentField[] = []
  const targets: Target[] = [target]
  const followed = new Set<string>()
  for (const wanted of targets)
    for (const { fetch, input } of prepared.inputs) {
      const { at, slot, cases } = input
      const found = pathTo(wanted, cases, at)
      if (found === null) continue
      const own = dependentFieldsOfProvider(graph, prepared, fetch, at, slot, found)
      fields.push(...own)
      const provider = `${at}.${slot}`
      if (own.length > 0 || followed.has(provider)) continue
      // All that this fetch gives is sent on by other fetches.
      followed.add(provider)
      targets.push(...leavesSent(prepared, at, slot))
    }
  return fields
}

/**
 * The fields of the client that a provider gives, and that depend on the representation fields that were
 * found.
 */
function dependentFieldsOfProvider(
  graph: Graph,
  prepared: PreparedPlan,
  fetch: Fetch,
  at: PositionId,
  slot: number,
  { isKey, names }: FoundPath,
): readonly DependentField[] {
  return possibleFields(prepared, at, NO_RUNTIME_TYPE).flatMap((field) =>
    field.kind === 'field' && field.source?.slot === slot && (isKey || requires(graph, field, fetch, names))
      ? [{ at, key: field.key, isKey }]
      : [],
  )
}

/** The leaves of a provider's objects that fetches send in representations. */
function leavesSent(prepared: PreparedPlan, position: PositionId, slot: number): readonly Target[] {
  const keys = new Set<string>()
  const collect = (cases: readonly RepresentationCase[], at: PositionId): void => {
    for (const { fields } of cases)
      for (const field of fields) {
        if (field.kind === 'object') collect(field.cases, field.position)
        else if (at === position && field.source.slot === slot) keys.add(field.source.key)
      }
  }
  for (const { input } of prepared.inputs) collect(input.cases, input.at)
  return [...keys].map((key) => ({ kind: 'leaf', position, slot, key }))
}

/**
 * The names of the representation's fields down to a target, and whether the first of them is part of the
 * key.
 */
type FoundPath = { readonly names: readonly string[]; readonly isKey: boolean }

/** Finds a target in a representation; null if the representation does not hold it. */
function pathTo(target: Target, cases: readonly RepresentationCase[], at: PositionId): FoundPath | null {
  for (const { fields } of cases)
    for (const field of fields) {
      if (isTarget(field, target, at)) return { names: [field.name], isKey: field.key }
      const below = field.kind === 'object' ? pathTo(target, field.cases, field.position) : null
      if (below !== null) return { names: [field.name, ...below.names], isKey: field.key }
    }
  return null
}

function isTarget(field: RepresentationField, target: Target, at: PositionId): boolean {
  if (target.kind === 'object') return field.kind === 'object' && field.position === target.position
  return (
    field.kind === 'leaf' &&
    at === target.position &&
    field.source.slot === target.slot &&
    field.source.key === target.key
  )
}

/**
 * Whether the subgraph of a fetch declares the field with a `@requires` that selects what the names lead to.
 */
function requires(graph: Graph, field: DataField, fetch: Fetch, names: readonly string[]): boolean {
  const { types } = graph.compiled
  const declaring: readonly TypeId[] = [field.parentType, ...(types[field.parentType]?.interfaces ?? [])]
  return declaring.some((type) =>
    types[type]?.fields
      .find(({ name }) => name === field.name)
      ?.edges.some(
        (edge) =>
          edge.sub === fetch.subgraph && edge.requires !== null && selects(edge.requires.fieldSet, names),
      ),
  )
}

function selects(selection: FieldSet, names: readonly string[]): boolean {
  const [name, ...rest] = names
  if (name === undefined) return true
  return selection.some((item) =>
    item.kind === 'on'
      ? selects(item.below, names)
      : item.name === name && (rest.length === 0 || (item.below !== null && selects(item.below, rest))),
  )
}

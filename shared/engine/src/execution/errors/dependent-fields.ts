import type { Sel } from '../../graph/compiled-graph.ts'
import type { Graph } from '../../graph/graph.ts'
import { NO_TYPE, type PositionId, type TypeId } from '../../ids.ts'
import type { Fetch, RepresentationCase, RepresentationField, ShapeField } from '../../plan/plan.ts'
import { type PreparedPlan, possibleFields } from '../joining/prepared-plan.ts'

/** What a subgraph was asked for and the client may not see: a leaf of a provider, or an object as a whole. */
export type Target =
  | { readonly kind: 'leaf'; readonly position: PositionId; readonly slot: number; readonly key: string }
  | { readonly kind: 'object'; readonly position: PositionId }

/** A field of the client's that lacks something without the target. */
export type DependentField = {
  readonly at: PositionId
  readonly key: string
  /** The target identifies the object for the call that gives the field. */
  readonly isKey: boolean
}

type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/**
 * For whom the router asked for what only it needs: the fields whose `@requires` name it, or those that a key leads to.
 * Empty if no later call sends the target. Keys may lead to other keys, on several ways to the same one: each is followed
 * once.
 */
export function dependentFields(
  graph: Graph,
  prepared: PreparedPlan,
  target: Target,
): readonly DependentField[] {
  const needs: DependentField[] = []
  const targets: Target[] = [target]
  const followed = new Set<string>()
  for (const wanted of targets)
    for (const { fetch, input } of prepared.inputs) {
      const { at, slot, cases } = input
      const found = pathTo(wanted, cases, at)
      if (found === null) continue
      const own = dependentFieldsOfProvider(graph, prepared, fetch, at, slot, found)
      needs.push(...own)
      const provider = `${at}.${slot}`
      if (own.length > 0 || followed.has(provider)) continue
      // What this call gives is itself only sent on.
      followed.add(provider)
      targets.push(...leavesSent(prepared, at, slot))
    }
  return needs
}

/** Fields of the client's that a provider gives, as far as they lack something without what was found. */
function dependentFieldsOfProvider(
  graph: Graph,
  prepared: PreparedPlan,
  fetch: Fetch,
  at: PositionId,
  slot: number,
  { isKey, names }: FoundPath,
): readonly DependentField[] {
  return possibleFields(prepared, at, NO_TYPE).flatMap((field) =>
    field.kind === 'field' && field.source?.slot === slot && (isKey || requires(graph, field, fetch, names))
      ? [{ at, key: field.key, isKey }]
      : [],
  )
}

/** What later calls send of a provider's objects. */
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

/** Names of the fields on the way, and whether the first of them is part of the key. */
type FoundPath = { readonly names: readonly string[]; readonly isKey: boolean }

/** Names of the representation's fields that lead to the target. */
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

/** Whether the subgraph of a call declares that this field requires what the names lead to. */
function requires(graph: Graph, field: DataField, fetch: Fetch, names: readonly string[]): boolean {
  const { types } = graph.compiled
  const declaring: readonly TypeId[] = [field.parentType, ...(types[field.parentType]?.interfaces ?? [])]
  return declaring.some((type) =>
    types[type]?.fields
      .find(({ name }) => name === field.name)
      ?.edges.some(
        (edge) => edge.sub === fetch.subgraph && edge.requires !== null && selects(edge.requires.sel, names),
      ),
  )
}

function selects(selection: Sel, names: readonly string[]): boolean {
  const [name, ...rest] = names
  if (name === undefined) return true
  return selection.some((item) =>
    item.kind === 'on'
      ? selects(item.sub, names)
      : item.name === name && (rest.length === 0 || (item.sub !== null && selects(item.sub, rest))),
  )
}

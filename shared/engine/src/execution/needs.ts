import type { Sel } from '../graph/compiled-graph.ts'
import type { Graph } from '../graph/graph.ts'
import type {
  Fetch,
  FetchPart,
  PositionId,
  RepresentationCase,
  RepresentationField,
  ShapeField,
  TypeId,
} from '../plan/plan.ts'
import { type PreparedPlan, possibleFields } from './prepared-plan.ts'

/** What a subgraph was asked for and the client may not see: a leaf of a provider, or an object as a whole. */
export type Target =
  | { readonly kind: 'leaf'; readonly position: PositionId; readonly slot: number; readonly key: string }
  | { readonly kind: 'object'; readonly position: PositionId }

/** A field of the client's that lacks something without the target. */
export type Need = {
  readonly at: PositionId
  readonly key: string
  /** The target identifies the object for the call that gives the field. */
  readonly isKey: boolean
}

type EntitiesPart = Extract<FetchPart, { readonly kind: 'entities' }>
type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/** Keys may lead to other keys; no plan follows more of them than this. */
const MAX_HOPS = 8

/**
 * For whom the router asked for what only it needs: the fields whose `@requires` name it, or those that a key leads to.
 * Empty if no later call sends the target.
 */
export function needsOf(graph: Graph, prepared: PreparedPlan, target: Target, hops = 0): readonly Need[] {
  const needs: Need[] = []
  for (const fetch of prepared.plan.fetches)
    for (const part of fetch.parts)
      if (part.kind === 'entities') needs.push(...needsOfPart(graph, prepared, fetch, part, target, hops))
  return needs
}

function needsOfPart(
  graph: Graph,
  prepared: PreparedPlan,
  fetch: Fetch,
  part: EntitiesPart,
  target: Target,
  hops: number,
): readonly Need[] {
  return part.inputs.flatMap(({ at, slot, cases }) => {
    const found = pathTo(target, cases, at)
    if (found === null) return []
    const fields = possibleFields(prepared, at, -1).filter(
      (field): field is DataField => field.kind === 'field' && field.source?.slot === slot,
    )
    const concerned = found.isKey
      ? fields
      : fields.filter((field) => requires(graph, field, fetch, found.names))
    if (concerned.length > 0) return concerned.map(({ key }) => ({ at, key, isKey: found.isKey }))
    // What this call gives is itself only sent on.
    return hops < MAX_HOPS ? needsOfProvider(graph, prepared, at, slot, hops + 1) : []
  })
}

function needsOfProvider(
  graph: Graph,
  prepared: PreparedPlan,
  position: PositionId,
  slot: number,
  hops: number,
): readonly Need[] {
  const keys = new Set<string>()
  const collect = (cases: readonly RepresentationCase[], at: PositionId): void => {
    for (const { fields } of cases)
      for (const field of fields) {
        if (field.kind === 'object') collect(field.cases, field.position)
        else if (at === position && field.source.slot === slot) keys.add(field.source.key)
      }
  }
  for (const { parts } of prepared.plan.fetches)
    for (const part of parts)
      if (part.kind === 'entities') for (const { at, cases } of part.inputs) collect(cases, at)
  return [...keys].flatMap((key) => needsOf(graph, prepared, { kind: 'leaf', position, slot, key }, hops))
}

/** Names of the representation's fields that lead to the target. */
function pathTo(
  target: Target,
  cases: readonly RepresentationCase[],
  at: PositionId,
): { readonly names: readonly string[]; readonly isKey: boolean } | null {
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

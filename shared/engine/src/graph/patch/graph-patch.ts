/** The difference of two graphs as data, which other threads apply to the graph that they have. */
import type { ApiType } from '../compiled/compiled-api.ts'
import type { CompiledGraph, CompiledType } from '../compiled/compiled-graph.ts'

/** The parts in which a graph differs from another one. Plain data. */
export type GraphPatch = {
  /** The graph without its types. */
  readonly head: CompiledGraph
  readonly types: readonly CompiledType[]
  readonly apiTypes: readonly ApiType[]
  /** The names of all types of the client's schema, in their order; null if they are as before. */
  readonly apiNames: readonly string[] | null
}

/** The graph that differs from `before` by the patch. */
export function applyPatch(
  before: CompiledGraph,
  { head, types, apiTypes, apiNames }: GraphPatch,
): CompiledGraph {
  const known = new Map([...before.api.types, ...apiTypes].map((type) => [type.name, type]))
  const names = apiNames ?? before.api.types.map(({ name }) => name)
  const api = { ...head.api, types: names.flatMap((name) => known.get(name) ?? []) }
  return { ...head, types: replaced(before.types, types), api }
}

/** Both differences, one after the other, as one. */
export function joinPatches(first: GraphPatch, second: GraphPatch): GraphPatch {
  const types = new Map([...first.types, ...second.types].map((type) => [type.id, type]))
  const apiTypes = new Map([...first.apiTypes, ...second.apiTypes].map((type) => [type.name, type]))
  return {
    head: second.head,
    types: [...types.values()],
    apiTypes: [...apiTypes.values()],
    apiNames: second.apiNames ?? first.apiNames,
  }
}

/** The types with newer ones in the place of those that have their ids. */
export function replaced(
  types: readonly CompiledType[],
  newer: readonly CompiledType[],
): readonly CompiledType[] {
  const all = [...types]
  for (const type of newer) all[type.id] = type
  return all
}

/** Compiles what moves need of a graph that is no text yet. */
import { NO_ROOT_TYPE } from '../../ids/ids.ts'
import { checkSelections } from '../check-selections.ts'
import { compileType } from '../compile-types.ts'
import type { CompiledSubgraph, CompiledType } from '../compiled/compiled-graph.ts'
import type { TypeGraph } from '../graph.ts'
import { SupergraphError } from '../header/supergraph-error.ts'
import type { JoinedType } from '../joined/joined-type.ts'
import { buildNameTables, type GraphTables } from '../name-tables.ts'

/** A graph that can be compiled further: after a change, types that are as before are not compiled again. */
export type KeptTypeGraph = {
  readonly graph: TypeGraph
  readonly tables: GraphTables
  /** True if types have the ids that they had in the graph before. */
  readonly keepsIds: boolean
}

/** A graph that was compiled before, and the names of the types that are not what they were in it. */
export type TypeGraphBefore = { readonly kept: KeptTypeGraph; readonly changed: ReadonlySet<string> }

/**
 * Compiles types by their names. The root types have their usual names; `subgraphs` are in the order of their
 * ids, which they have in `before`, too. Throws a SupergraphError where the text of the same graph could not
 * be compiled either.
 */
export function compileTypeGraph(
  joined: ReadonlyMap<string, JoinedType>,
  subgraphs: readonly CompiledSubgraph[],
  before: TypeGraphBefore | null = null,
): KeptTypeGraph {
  const kept = before !== null && isUsable(before.kept, joined.size) ? before : null
  const tables = buildNameTables(joined, subgraphs.length, kept?.kept.tables)
  const types: CompiledType[] = []
  const present: CompiledType[] = []
  const compiled: CompiledType[] = []
  for (const [name, id] of tables.typeByName) {
    const known = kept?.changed.has(name) === false ? kept.kept.graph.compiled.types[id] : undefined
    const type = known ?? compileType(tables, id)
    types[id] = type
    present.push(type)
    if (known === undefined) compiled.push(type)
  }
  const query = tables.typeByName.get('Query')
  if (query === undefined)
    throw new SupergraphError('SUPERGRAPH_INVALID', 'The supergraph does not define its query type "Query".')
  const rootNamed = (name: string) => tables.typeByName.get(name) ?? NO_ROOT_TYPE
  const roots = { query, mutation: rootNamed('Mutation'), subscription: rootNamed('Subscription') }
  const graph = { compiled: { types, subgraphs, roots, labels: tables.labels } }
  const hasLost = kept === null || hasLostFields(kept, tables, types)
  checkSelections(graph, hasLost ? present : compiled)
  return { graph, tables, keepsIds: kept !== null }
}

/** Whether a selection that was right before may name a field that is gone. */
function hasLostFields(
  { kept: { graph }, changed }: TypeGraphBefore,
  { numbers }: GraphTables,
  types: readonly CompiledType[],
): boolean {
  for (const name of changed) {
    const id = numbers.get(name)
    const before = id === undefined ? undefined : graph.compiled.types[id]
    if (id === undefined || before === undefined) continue
    const now = types[id]
    if (now === undefined) return true
    const names = new Set(now.fields.map((field) => field.name))
    if (!before.fields.every((field) => names.has(field.name))) return true
    if (!before.possible.every((object) => now.possible.includes(object))) return true
  }
  return false
}

/**
 * Labels have numbers in the order in which they are met, so that a graph with labels is compiled anew. So is
 * one of which more is gone than there is left: names of the past and texts that nobody writes any more stay
 * in the tables.
 */
function isUsable({ tables }: KeptTypeGraph, types: number): boolean {
  const most = MOST_PER_TYPE * (types + BUILT_IN)
  return (
    tables.labels.length === 0 &&
    tables.names.length <= most &&
    tables.typeRefs.size <= MOST_PER_TYPE * most &&
    tables.fieldSets.size <= MOST_PER_TYPE * most
  )
}

const MOST_PER_TYPE = 2
/** The scalars of GraphQL itself. */
const BUILT_IN = 5

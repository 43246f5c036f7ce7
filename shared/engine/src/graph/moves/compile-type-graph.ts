/** Compiles what moves need of a graph that is no text yet. */
import { NO_ROOT_TYPE } from '../../ids/ids.ts'
import { checkSelections } from '../check-selections.ts'
import { compileTypes } from '../compile-types.ts'
import type { CompiledSubgraph } from '../compiled/compiled-graph.ts'
import type { TypeGraph } from '../graph.ts'
import { SupergraphError } from '../header/supergraph-error.ts'
import type { JoinedType } from '../joined/joined-type.ts'
import { buildNameTables } from '../name-tables.ts'

/**
 * Compiles types by their names. The root types have their usual names; `subgraphs` are in the order of their
 * ids. Throws a SupergraphError where the text of the same graph could not be compiled either.
 */
export function compileTypeGraph(
  joined: ReadonlyMap<string, JoinedType>,
  subgraphs: readonly CompiledSubgraph[],
): TypeGraph {
  const tables = buildNameTables(joined, subgraphs.length)
  const types = compileTypes(tables)
  checkSelections(types)
  const query = tables.typeByName.get('Query')
  if (query === undefined)
    throw new SupergraphError('SUPERGRAPH_INVALID', 'The supergraph does not define its query type "Query".')
  const rootNamed = (name: string) => tables.typeByName.get(name) ?? NO_ROOT_TYPE
  const roots = { query, mutation: rootNamed('Mutation'), subscription: rootNamed('Subscription') }
  return { compiled: { types, subgraphs, roots, labels: tables.labels } }
}

/** Compiles supergraph SDL to a graph. Pure: the same text gives the same data. */
import { type DocumentNode, Kind } from 'graphql'
import { NO_ROOT_TYPE } from '../ids/ids.ts'
import { checkApi } from './check-api.ts'
import { checkSelections } from './check-selections.ts'
import { compileAccess } from './access/compile-access.ts'
import { compileApi } from './compile-api.ts'
import { compileCacheHints } from './compile-cache-hints.ts'
import { compileCosts } from './compile-costs.ts'
import { compileTypes } from './compile-types.ts'
import type { CompiledGraph } from './compiled/compiled-graph.ts'
import { parseSupergraph, readHeader, type SupergraphHeader } from './header/header.ts'
import { readJoinedTypes } from './joined/read-joined-types.ts'
import { type NameTables, buildNameTables } from './name-tables.ts'
import { SupergraphError } from './header/supergraph-error.ts'

/** Compiles a supergraph. Throws a SupergraphError if the SDL is no supergraph that this router can serve. */
export function compileSupergraph(supergraphSdl: string): CompiledGraph {
  return compileDocument(parseSupergraph(supergraphSdl))
}

/** Compiles a parsed supergraph. Throws a SupergraphError. */
export function compileDocument(document: DocumentNode): CompiledGraph {
  const header = readHeader(document)
  const tables = buildNameTables(readJoinedTypes(header), header.subgraphs.length)
  const types = compileTypes(tables)
  const typeGraph = {
    types,
    subgraphs: header.subgraphs,
    roots: readRoots(header, tables),
    labels: tables.labels,
  }
  checkSelections({ compiled: typeGraph }, types)
  const api = compileApi(header.document)
  checkApi(api)
  return {
    api,
    ...typeGraph,
    removed: [],
    accessRules: header.names.accessRules,
    access: compileAccess(header, { types, removed: [] }),
    costs: compileCosts(header),
    cacheHints: compileCacheHints(header),
  }
}

function readRoots({ document }: SupergraphHeader, { typeByName }: NameTables): CompiledGraph['roots'] {
  const named = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }
  for (const definition of document.definitions)
    if (definition.kind === Kind.SCHEMA_DEFINITION) {
      for (const root of definition.operationTypes) named[root.operation] = root.type.name.value
    }
  const query = typeByName.get(named.query)
  if (query === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `The supergraph does not define its query type "${named.query}".`,
    )
  return {
    query,
    mutation: typeByName.get(named.mutation) ?? NO_ROOT_TYPE,
    subscription: typeByName.get(named.subscription) ?? NO_ROOT_TYPE,
  }
}

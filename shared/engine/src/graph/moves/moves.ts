/** The part of the graph that other packages may use: types, fields, and moves between subgraphs. */
export type { ApiField, ApiInput, ApiType, CompiledApi } from '../compiled/compiled-api.ts'
export type {
  CompiledEdge,
  CompiledField,
  CompiledGraph,
  CompiledKey,
  CompiledPresence,
  CompiledType,
  FieldSet,
  FieldSetItem,
} from '../compiled/compiled-graph.ts'
export { namedType } from '../compiled/named-type.ts'
export { compileSupergraph } from '../compile.ts'
export {
  fieldOf,
  type Graph,
  isComposite,
  openGraph,
  presenceOf,
  printTypeRef,
  type TypeGraph,
  typeOf,
} from '../graph.ts'
export { compileTypeGraph, type KeptTypeGraph, type TypeGraphBefore } from './compile-type-graph.ts'
export type { JoinedField, JoinedResolver, JoinedType } from '../joined/joined-type.ts'
export { subgraphId } from '../../ids/ids.ts'
export { SupergraphError } from '../header/supergraph-error.ts'
export type { SubgraphId, TypeId } from '../../ids/ids.ts'
export { type FieldEdge, type KeyEdge, type Node, QueryGraph } from './query-graph.ts'

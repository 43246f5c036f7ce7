/**
 * The order of types. Their ids tell nothing of it: in a graph that was compiled from another one, types that
 * came in later have higher ids.
 */
import type { TypeId } from '../ids/ids.ts'
import { type TypeGraph, typeOf } from './graph.ts'

/** Compares by UTF-16 units, which gives the same order on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one !== other)
}

/** Compares types of a graph by their names. */
export function byTypeName(graph: TypeGraph): (one: TypeId, other: TypeId) => number {
  return (one, other) => compareTexts(typeOf(graph, one).name, typeOf(graph, other).name)
}

/** Says in words what clients get while a composition fails. */
import type { GraphVariant } from './graph-variant.ts'

/** The revision and flags of a graph that routers were given. */
export type GraphServed = {
  /** Null if routers were never given anything. */
  readonly revision: number | null
  /** The flags that are served. */
  readonly featureFlags: ReadonlySet<string>
}
/** Graphs by their name. Graphs of which nothing is known are missing. */
export type ServedGraphs = ReadonlyMap<string, GraphServed>

/** Returns the words to put behind `shop does not compose`. Empty if nothing is known. */
export function servedInstead({ graph, featureFlag }: GraphVariant, graphs: ServedGraphs): string {
  const served = graphs.get(graph)
  if (served === undefined) return ''
  if (served.revision === null) return '; the graph serves nothing yet'
  return featureFlag === null || served.featureFlags.has(featureFlag)
    ? '; what was served before stays served'
    : '; requests that name the flag get the base graph'
}

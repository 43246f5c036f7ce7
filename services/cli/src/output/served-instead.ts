/** What clients get while a composition fails, in words. */
import type { GraphVariant } from './graph-variant.ts'

/** What routers were given of a graph. */
export type GraphServed = {
  /** Null: routers were never given anything. */
  readonly revision: number | null
  /** Those that are served. */
  readonly featureFlags: ReadonlySet<string>
}
/** By name; without graphs of which it is not known. */
export type ServedGraphs = ReadonlyMap<string, GraphServed>

/** To be put behind `shop does not compose`; empty where it is not known. */
export function servedInstead({ graph, featureFlag }: GraphVariant, graphs: ServedGraphs): string {
  const served = graphs.get(graph)
  if (served === undefined) return ''
  if (served.revision === null) return '; the graph serves nothing yet'
  return featureFlag === null || served.featureFlags.has(featureFlag)
    ? '; what was served before stays served'
    : '; requests that name the flag get the base graph'
}

/** Says in words what clients get while a composition fails. */
import type { ServedGraphs } from '../registry/served-graphs.ts'
import type { GraphVariant } from './graph-variant.ts'

/** Returns the words to put behind `shop does not compose`. Empty if nothing is known. */
export function servedInstead({ graph, featureFlag }: GraphVariant, graphs: ServedGraphs): string {
  const served = graphs.get(graph)
  if (served === undefined) return ''
  if (served.revision === null) return '; the graph serves nothing yet'
  return featureFlag === null || served.featureFlags.has(featureFlag)
    ? '; what was served before stays served'
    : '; requests that name the flag get the base graph'
}

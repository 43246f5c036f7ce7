/**
 * Asks what graphs serve now. Commands need it where a composition fails, since the failure does not tell
 * whether the graph ever served anything.
 */
import { type CompositionReport, FederatedGraphDetail } from '@switchyard/contracts'
import { CliError } from '../run/errors.ts'
import { apiPath, type RegistryClient } from './registry-client.ts'

/** The revision and flags of a graph that routers were given. */
export type GraphServed = {
  /** Null if routers were never given anything. */
  readonly revision: number | null
  /** The flags that are served. */
  readonly featureFlags: ReadonlySet<string>
}
/** Graphs by their name. Graphs of which nothing is known are missing. */
export type ServedGraphs = ReadonlyMap<string, GraphServed>

/** The largest number of graphs that are asked for. Nobody reads failures of more at once. */
const MOST = 20

/** Asks what the failing graphs serve. Leaves out graphs for which the registry does not answer. */
export async function servedGraphs(
  reports: readonly CompositionReport[],
  namespace: string,
  registry: RegistryClient,
): Promise<ServedGraphs> {
  const failing = reports.filter(({ status }) => status === 'failed').map(({ graph }) => graph)
  const found = await Promise.all(
    [...new Set(failing)].slice(0, MOST).map(async (name) => {
      try {
        const detail = await registry.get(apiPath('graphs', namespace, name), FederatedGraphDetail)
        return [[name, servedBy(detail)] as const]
      } catch (error) {
        if (error instanceof CliError) return []
        throw error
      }
    }),
  )
  return new Map(found.flat())
}

/** Picks what a graph serves from the registry's description of it. */
export function servedBy({ revision, featureFlags }: FederatedGraphDetail): GraphServed {
  const served = featureFlags.filter(({ state }) => state === 'served')
  return { revision, featureFlags: new Set(served.map(({ name }) => name)) }
}

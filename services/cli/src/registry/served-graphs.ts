/**
 * What graphs serve at the moment, asked for where a composition fails: whether anything was ever served
 * cannot be told from the failure.
 */
import { type CompositionReport, FederatedGraphDetail } from '@switchyard/contracts'
import { CliError } from '../errors.ts'
import type { GraphServed, ServedGraphs } from '../output/served-instead.ts'
import { apiPath, type RegistryClient } from './registry-client.ts'

/** Nobody reads failures of more graphs than this at once. */
const MOST = 20

/** What cannot be had is left out. */
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

/** What a graph serves, out of all that the registry says about it. */
export function servedBy({ revision, featureFlags }: FederatedGraphDetail): GraphServed {
  const served = featureFlags.filter(({ state }) => state === 'served')
  return { revision, featureFlags: new Set(served.map(({ name }) => name)) }
}

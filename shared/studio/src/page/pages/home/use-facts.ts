/** Reads what Home tells of: the graphs, flags, rollouts and routers of all namespaces. */
import { useQueries } from '@tanstack/react-query'
import type { ApiError } from '../../api/client.ts'
import { useFleetInterval } from '../../api/use-fleet-interval.ts'
import { useRead, useReadOptions } from '../../api/use-api.ts'
import { useGraphs } from '../../api/use-graphs.ts'
import type { Facts } from './attention.ts'

/** Facts are undefined until all of them were read. */
export function useFacts(): { readonly facts: Facts | undefined; readonly error: ApiError | null } {
  const options = useReadOptions()
  const { graphs, namespaces, error } = useGraphs()
  const addresses = namespaces.map((namespace) => ({ path: { namespace } }))
  const flags = useQueries({
    queries: addresses.map((address) => options('/v1/feature-flags/{namespace}', address)),
  })
  const rollouts = useQueries({
    queries: addresses.map((address) => options('/v1/rollouts/{namespace}', address)),
  })
  const routers = useRead('/v1/routers', {}, { refetchInterval: useFleetInterval() })
  const all = [...flags, ...rollouts]
  const failed = all.find((one) => one.error !== null)?.error
  const isRead =
    graphs !== undefined && routers.data !== undefined && all.every(({ data }) => data !== undefined)
  return {
    error: error ?? failed ?? routers.error,
    facts: isRead
      ? {
          graphs,
          flags: flags.flatMap(({ data }) => data?.featureFlags ?? []),
          rollouts: rollouts.flatMap(({ data }) => data?.rollouts ?? []),
          routers: routers.data.routers,
        }
      : undefined,
  }
}

/** All graphs that the session may read. */
import { useQueries } from '@tanstack/react-query'
import type { ApiError, Read } from './client.ts'
import { useRead, useReadOptions } from './use-api.ts'

export type GraphView = Read<'/v1/graphs/{namespace}'>['graphs'][number]

export type Graphs = {
  /** Undefined until all namespaces were read. */
  readonly graphs: readonly GraphView[] | undefined
  readonly namespaces: readonly string[]
  readonly error: ApiError | null
}

export function useGraphs(): Graphs {
  const options = useReadOptions()
  const namespaces = useRead('/v1/namespaces')
  const names = namespaces.data?.namespaces.map(({ name }) => name) ?? []
  return useQueries({
    queries: names.map((namespace) => options('/v1/graphs/{namespace}', { path: { namespace } })),
    combine: (results) => {
      const isRead = namespaces.data !== undefined && results.every(({ data }) => data !== undefined)
      const failed = results.find(({ error }) => error !== null)
      return {
        namespaces: names,
        graphs: isRead ? results.flatMap(({ data }) => data?.graphs ?? []) : undefined,
        error: namespaces.error ?? failed?.error ?? null,
      }
    },
  })
}

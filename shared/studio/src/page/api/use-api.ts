/** Reading and writing in components: what several of them read is asked for once and kept. */
import {
  type QueryClient,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import {
  type Address,
  type Api,
  ApiError,
  type Read,
  type ReadPath,
  type WriteMethod,
  type WritePath,
  type Written,
} from './client.ts'

export const ApiContext = createContext<Api | null>(null)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('the page was rendered without an ApiContext')
  return api
}

/** The key of the session in the cache. */
export const SESSION_KEY = ['session'] as const

/** Makes what the cache needs to know to read a path. */
export function useReadOptions(): <Path extends ReadPath>(
  path: Path,
  address?: Address,
) => { queryKey: readonly unknown[]; queryFn: (context: { signal: AbortSignal }) => Promise<Read<Path>> } {
  const api = useApi()
  const client = useQueryClient()
  return (path, address = {}) => ({
    queryKey: ['read', path, address],
    queryFn: async ({ signal }) => {
      try {
        return await api.read(path, address, signal)
      } catch (error) {
        endSession(client, error)
        throw error
      }
    },
  })
}

/** The time between two readings of figures of processes, in milliseconds: heartbeats come as often. */
export const HEARTBEAT_MS = 5_000

/**
 * Reads a path. It is read again when an event of the live connection makes it old, when the page is shown
 * again, after a write, and all `refetchInterval` milliseconds while the page is shown.
 */
export function useRead<Path extends ReadPath>(
  path: Path,
  address: Address = {},
  options: { readonly enabled?: boolean; readonly refetchInterval?: number | false } = {},
): UseQueryResult<Read<Path>> {
  return useQuery<Read<Path>>({ ...useReadOptions()(path, address), ...options })
}

/** Writes to a path. All that pages show of the namespace is read again afterwards. */
export function useWrite<Method extends WriteMethod, Path extends WritePath<Method>>(
  method: Method,
  path: Path,
): UseMutationResult<Written<Path, Method>, ApiError, { readonly address: Address; readonly body: object }> {
  const api = useApi()
  const client = useQueryClient()
  return useMutation<Written<Path, Method>, ApiError, { readonly address: Address; readonly body: object }>({
    mutationFn: ({ address, body }) => api.write(method, path, address, body),
    onError: (error) => endSession(client, error),
    // Whoever wrote does not wait for the slowest read of the page.
    onSettled: () => void client.invalidateQueries({ queryKey: ['read'] }),
  })
}

/** Finds out whether the session has ended: the shell asks for a new one then. */
export function endSession(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && error.status === 401)
    void client.invalidateQueries({ queryKey: SESSION_KEY })
}

declare module '@tanstack/react-query' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Register {
    defaultError: ApiError
  }
}

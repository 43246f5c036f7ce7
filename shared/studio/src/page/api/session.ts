/** The session of whoever opened the page. */
import type { BeginSession, SessionView, SignInWays } from '@switchyard/contracts'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { ApiError } from './client.ts'
import { useLive } from './use-live.ts'
import { SESSION_KEY, useApi } from './use-api.ts'

/** The code where the registry has no sessions. */
const SESSIONS_OFF = 'SESSIONS_OFF'

/** Reads the session. Null if there is none: somebody has to sign in. */
export function useSession(): UseQueryResult<SessionView | null> {
  const api = useApi()
  return useQuery<SessionView | null>({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      try {
        const session = await api.send<SessionView>('GET', '/v1/session', undefined, signal)
        api.csrf = session.csrf
        return session
      } catch (error) {
        if (!(error instanceof ApiError && (error.status === 401 || error.code === SESSIONS_OFF))) throw error
        api.csrf = null
        return null
      }
    },
  })
}

export function useSignInWays(): UseQueryResult<SignInWays> {
  const api = useApi()
  return useQuery<SignInWays>({
    queryKey: ['sign-in'],
    queryFn: () => api.send<SignInWays>('GET', '/v1/sign-in'),
  })
}

/** Begins and ends sessions. */
export function useSessionCommands(): {
  readonly begin: (by: BeginSession) => Promise<void>
  readonly end: () => Promise<void>
} {
  const api = useApi()
  const client = useQueryClient()
  const live = useLive()
  const became = async (session: SessionView | null) => {
    // A question that was asked before must not be answered after.
    await client.cancelQueries({ queryKey: SESSION_KEY })
    api.csrf = session?.csrf ?? null
    client.setQueryData(SESSION_KEY, session)
    // What was read belongs to whoever read it.
    client.removeQueries({ predicate: ({ queryKey: [first] }) => first !== SESSION_KEY[0] })
    live.sessionChanged()
  }
  return {
    begin: async (by) => {
      const session = await api.send<SessionView>('POST', '/v1/session', by)
      await became(session)
    },
    end: async () => {
      await api.send<unknown>('DELETE', '/v1/session', {})
      await became(null)
    },
  }
}

/** Whether the session may do something in a namespace. Pages hide nothing by it: they say so. */
export function isPermitted(
  { scopes }: Pick<SessionView, 'scopes'>,
  permission: 'deploy' | 'publish' | 'rollout' | 'abort',
  namespace: string,
): boolean {
  const including = {
    deploy: ['deploy'],
    publish: ['publish', 'deploy'],
    rollout: ['rollout', 'deploy'],
    abort: ['abort', 'rollout', 'deploy'],
  }[permission]
  return scopes.includes('admin') || including.some((scope) => scopes.includes(`${scope}:${namespace}`))
}

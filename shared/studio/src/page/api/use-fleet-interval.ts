import { useSession } from './session.ts'
import { HEARTBEAT_MS } from './use-api.ts'
import { useLiveState } from './use-live.ts'

/**
 * The interval at which states of routers are read: not at all where events tell them, which they do to those
 * who may read every namespace, while the page is live.
 */
export function useFleetInterval(): number | false {
  const { kind } = useLiveState()
  const { data: session } = useSession()
  const hearsAll = session?.scopes.some((scope) => scope === 'admin' || scope === 'read') === true
  return kind === 'live' && hearsAll ? false : HEARTBEAT_MS
}

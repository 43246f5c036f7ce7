/** Tells components of the live connection. */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Live } from './live.ts'
import type { LiveState } from './live/live-connection.ts'

export const LiveContext = createContext<Live | null>(null)

export function useLive(): Live {
  const live = useContext(LiveContext)
  if (live === null) throw new Error('the page was rendered without a LiveContext')
  return live
}

export function useLiveState(): LiveState {
  const live = useLive()
  return useSyncExternalStore(live.listen, live.state)
}

/** The figures of the last seconds of a graph. Null if none were told. */
export function useLiveFigures(namespace: string, graph: string) {
  const live = useLive()
  const all = useSyncExternalStore(live.listen, live.figures)
  return all.find((one) => one.namespace === namespace && one.graph === graph) ?? null
}

/** Heartbeats of routers that are not there: a machine would hold a few of the real ones. */
import { HEARTBEAT_INTERVAL_MS, type RouterHeartbeat, routerStatusSubject } from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { FLAGS, GRAPH } from './large-graph.ts'
import { flagName } from './fill-namespace.ts'

export const ROUTERS = 30
const STARTED = Date.now()

/** The revision that routers serve. */
export type Served = Pick<
  RouterHeartbeat,
  'epoch' | 'revision' | 'manifest' | 'configCreatedAt' | 'registrySequence'
>

/** Tells all routers every five seconds, each at a moment of its own. `served` is asked for each time. */
export function startHeartbeats(announcer: Announcer, served: () => Served): Disposable {
  const timers = new Set<NodeJS.Timeout>()
  let requests = 0
  const tell = (router: number) => {
    const instance = `router-${router}`
    requests += 1000
    const heartbeat: RouterHeartbeat = {
      instance,
      boot: 'one',
      ...GRAPH,
      ...served(),
      flags: Array.from({ length: FLAGS }, (_, flag) => flagName(flag)).sort(),
      flagsInUse: Array.from({ length: 10 }, (_, flag) => flagName(flag)),
      version: '0.1.0',
      formats: [1, 2],
      load: {
        startedAt: STARTED,
        residentBytes: 400_000_000,
        heapBytes: 200_000_000,
        eventLoopUtilization: 0.2,
        eventLoopDelayMs: 12,
        active: 3,
        requests,
        errors: 10,
      },
      state: 'serving',
    }
    announcer.announce(routerStatusSubject(GRAPH, instance), heartbeat)
  }
  for (let router = 0; router < ROUTERS; router++) {
    const begin = setTimeout(
      () => {
        tell(router)
        timers.add(setInterval(() => tell(router), HEARTBEAT_INTERVAL_MS))
      },
      (router * HEARTBEAT_INTERVAL_MS) / ROUTERS,
    )
    timers.add(begin)
  }
  return {
    [Symbol.dispose]: () => {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

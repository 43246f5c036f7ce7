/** The end of a router: first nobody sends it requests any more, then those in progress are finished. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RouterConfig } from '../config/router-config.ts'
import type { HttpServer } from '../http/server.ts'
import type { Traffic } from '../http/traffic.ts'
import type { OpenStreams } from '../incremental/open-streams.ts'
import type { ListenerEvents } from '../observe/listener-events.ts'

/**
 * Milliseconds in which clients of streams that are cut at the limit of draining can read that they were cut.
 */
export const LAST_WORDS_MS = 1000

/**
 * Waits `delay` milliseconds: load balancers notice only after a while that a router is not ready any more.
 */
export async function untilNobodySends(delay: number, events: ListenerEvents): Promise<void> {
  if (delay === 0) return
  events.leaving(delay)
  await sleep(delay)
}

/**
 * Lets the requests in progress finish, within `shutdown.drain_timeout`, and then ends the streams that are
 * left.
 */
export async function drain(router: {
  readonly config: RouterConfig
  readonly server: HttpServer
  readonly traffic: Traffic
  readonly streams: OpenStreams
  readonly events: ListenerEvents
}): Promise<void> {
  const { config, server, traffic, streams, events } = router
  events.draining(traffic.inFlight)
  // New requests still get an answer, 503, until the last one in progress is done.
  const drained = traffic.drain(config.drainTimeout)
  server.drain()
  if (await drained) return
  events.drainLimitReached(traffic.inFlight)
  await streams.endAll(LAST_WORDS_MS)
}

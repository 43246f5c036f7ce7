/** The end of a router: first nobody sends it requests any more, then those in progress are finished. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RouterConfig } from '../config/router-config.ts'
import type { HttpServer } from '../listen/server.ts'
import type { Traffic } from '../listen/traffic.ts'
import type { OpenSubscriptions } from '../subscriptions/open-subscriptions.ts'
import type { OpenStreams } from '../incremental/open-streams.ts'
import type { ListenerEvents } from '../listen/listener-events.ts'
import type { Serving } from './serving.ts'

/**
 * Milliseconds in which clients of streams that are cut at the limit of draining can read that they were cut.
 */
export const LAST_WORDS_MS = 1000

/** The parts that take part in the end of a router. */
export type LeavingRouter = {
  readonly config: RouterConfig
  readonly server: HttpServer
  readonly traffic: Traffic
  readonly streams: OpenStreams
  readonly subscriptions: OpenSubscriptions
  readonly serving: Serving
  readonly events: ListenerEvents
}

/**
 * Says that the router leaves, and waits `shutdown.pre_stop_delay` milliseconds, since load balancers notice
 * only after a while that a router is not ready any more. Then it drains.
 */
export async function leave(router: LeavingRouter): Promise<void> {
  const { config, traffic, serving, events } = router
  traffic.leave()
  serving.beat()
  // Nobody sends requests to a router that was never ready.
  if (serving.generations.serving !== null && config.preStopDelay > 0) {
    events.leaving(config.preStopDelay)
    await sleep(config.preStopDelay)
  }
  await drain(router)
}

/**
 * Lets the requests in progress finish, within `shutdown.drain_timeout`, and then ends the streams that are
 * left.
 */
async function drain({
  config,
  server,
  traffic,
  streams,
  subscriptions,
  events,
}: LeavingRouter): Promise<void> {
  events.draining(traffic.inFlight)
  // They would go on for ever: their clients subscribe again at another router.
  subscriptions.leave()
  // New requests still get an answer, 503, until the last one in progress is done.
  const drained = traffic.drain(config.drainTimeout)
  server.drain()
  if (await drained) return
  events.drainLimitReached(traffic.inFlight)
  await streams.endAll(LAST_WORDS_MS)
}

/**
 * Hears the heartbeats of routers. With a fleet key, only those count that are signed with it. The others are
 * counted and logged, and change nothing else, however many they are.
 */
import { ALL_ROUTER_STATUS, type RouterHeartbeat, routerHeartbeatFrom } from '@switchyard/contracts'
import { DisbelievedMessages } from './disbelieved-messages.ts'
import type { FleetKey } from './fleet-key.ts'
import type { Logger } from '../logging/logger.ts'
import { declareCounter } from '../metrics/metric.ts'
import { logEvent } from '../logging/log-event.ts'

export type HearRoutersOptions = {
  /** The subject whose heartbeats are heard; absent for those of all routers. */
  readonly subject?: string
  /** Subscribes to a subject, as an announcer does. */
  readonly subscribe: (subject: string, handler: (message: unknown, subject: string) => void) => Disposable
  /** The key that verifies heartbeats. If it is absent, every heartbeat counts that its subject allows. */
  readonly fleetKey?: FleetKey | undefined
  readonly logger: Logger
  /**
   * Called with each heartbeat that counts. `clockAheadMs` is 0 unless the fleet key shows that the router's
   * clock differs from ours.
   */
  readonly onHeartbeat: (heartbeat: RouterHeartbeat, subject: string, clockAheadMs: number) => void
  /** Whether routers count whose clock is another one; see `FleetKey`. Default: refused. */
  readonly otherTimes?: 'refused' | 'taken'
  /** Unix milliseconds. */
  readonly now?: () => number
  readonly monotonicNow?: () => number
}

export type RoutersHeard = Disposable & {
  /** A warning for the health page, while heartbeats are not believed; otherwise null. */
  readonly warning: string | null
}

/** The log events of this file. */
export const LOGGED = {
  ignored: logEvent('heartbeat.ignored', {
    level: 'debug',
    fields: ['subject'],
    services: 'composer, registry, config-distribution',
    says: 'a heartbeat was not understood, too large, or of another router than its subject names',
  }),
  notBelieved: logEvent('heartbeat.not-believed', {
    level: 'warn',
    fields: ['subject', 'reason', 'count'],
    services: 'registry, config-distribution, router',
    says: "A sender without the fleet's key reports as a router, or a router has another key or another time than this service.",
    advice: 'See [security.md](security.md#who-counts-as-a-router)',
  }),
}

export function hearRouters(options: HearRoutersOptions): RoutersHeard {
  const { subject: heard = ALL_ROUTER_STATUS, subscribe, fleetKey, logger, onHeartbeat } = options
  const { now, otherTimes = 'refused', monotonicNow = () => performance.now() } = options
  const verifier = fleetKey?.verifier({ now, otherTimes }) ?? null
  const disbelieved = new DisbelievedMessages({
    noun: 'heartbeats',
    event: LOGGED.notBelieved,
    metric: NOT_BELIEVED,
    logger,
    monotonicNow,
  })
  const subscription = subscribe(heard, (message, subject) => {
    const judged = verifier?.judge(subject, senderOf(subject, message), message) ?? UNVERIFIED
    if (judged.disbelief !== null) return disbelieved.count(subject, judged.disbelief)
    const heartbeat = routerHeartbeatFrom(subject, message)
    if (heartbeat !== null) return onHeartbeat(heartbeat, subject, judged.clockAheadMs)
    LOGGED.ignored.write(logger, { subject })
  })
  return {
    get warning() {
      return disbelieved.warning
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}

const UNVERIFIED = { disbelief: null, clockAheadMs: 0 } as const

/** Returns who sent a message, for a verifier: two processes of one name have a clock each. */
export function senderOf(subject: string, message: unknown): string {
  const boot = typeof message === 'object' && message !== null && 'boot' in message ? message.boot : ''
  return `${subject} ${typeof boot === 'string' ? boot : ''}`
}

export const NOT_BELIEVED = declareCounter('switchyard.heartbeats.not_believed', {
  description: 'Heartbeats of routers that were not believed, by what is wrong with their signature',
  labels: { reason: ['unsigned', 'wrong-signature', 'other-time', 'repeated'] },
})

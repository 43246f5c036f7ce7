/**
 * Hears the heartbeats of routers. With a fleet key, only those count that are signed with it. The others are
 * counted and logged, and change nothing else, however many they are.
 */
import { metrics } from '@opentelemetry/api'
import { ALL_ROUTER_STATUS, type RouterHeartbeat, routerHeartbeatFrom } from '@switchyard/contracts'
import type { Disbelief, FleetKey } from './fleet-key.ts'
import type { Logger } from '../logging/logger.ts'
import { declareCounter } from '../metrics/metric.ts'
import { logEvent } from '../logging/log-event.ts'

/** Milliseconds in which forged heartbeats are logged together, once: there may be many. */
const TOLD_EVERY_MS = 60_000

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
  const foreign = new ForeignHeartbeats(logger, monotonicNow)
  const subscription = subscribe(heard, (message, subject) => {
    const judged = verifier?.judge(subject, `${subject} ${bootOf(message)}`, message) ?? UNVERIFIED
    if (judged.disbelief !== null) return foreign.count(subject, judged.disbelief)
    const heartbeat = routerHeartbeatFrom(subject, message)
    if (heartbeat !== null) return onHeartbeat(heartbeat, subject, judged.clockAheadMs)
    LOGGED.ignored.write(logger, { subject })
  })
  return {
    get warning() {
      return foreign.warning
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}

const UNVERIFIED = { disbelief: null, clockAheadMs: 0 } as const

/** Two processes of one name have a clock each. */
function bootOf(message: unknown): string {
  const boot = typeof message === 'object' && message !== null && 'boot' in message ? message.boot : ''
  return typeof boot === 'string' ? boot : ''
}

export const NOT_BELIEVED = declareCounter('switchyard.heartbeats.not_believed', {
  description: 'Heartbeats of routers that were not believed, by what is wrong with their signature',
  labels: { reason: ['unsigned', 'wrong-signature', 'other-time', 'repeated'] },
})

class ForeignHeartbeats {
  readonly #logger: Logger
  readonly #now: () => number
  readonly #counter = metrics
    .getMeter('@switchyard/service-kit')
    .createCounter(NOT_BELIEVED.name, NOT_BELIEVED.options)
  #count = 0
  #toldAt = -Infinity
  #last: { readonly at: number; readonly text: string } | null = null

  constructor(logger: Logger, now: () => number) {
    this.#logger = logger
    this.#now = now
  }

  get warning(): string | null {
    const last = this.#last
    return last === null || this.#now() - last.at > TOLD_EVERY_MS ? null : last.text
  }

  count(subject: string, reason: Disbelief): void {
    this.#counter.add(1, { reason })
    this.#count += 1
    const now = this.#now()
    this.#last = {
      at: now,
      text: `heartbeats of routers are not believed (the last one on ${subject}: ${reason}), see heartbeat.not-believed in the log`,
    }
    if (now - this.#toldAt < TOLD_EVERY_MS) return
    LOGGED.notBelieved.write(
      this.#logger,
      { subject, reason, count: this.#count },
      `${this.#count} heartbeats were not believed since the last time, the newest on ${subject}: ${EXPLANATIONS[reason]}`,
    )
    this.#count = 0
    this.#toldAt = now
  }
}

const EXPLANATIONS: Readonly<Record<Disbelief, string>> = {
  unsigned:
    'it is not signed. Give the router the same SWITCHYARD_FLEET_KEY, or find out who publishes there',
  'wrong-signature': 'it is signed with another SWITCHYARD_FLEET_KEY, or forged',
  'other-time':
    'it was sent at another time by the clock of its sender: set the clocks, or somebody sends it again',
  repeated: 'it was heard before: somebody sends it again',
}

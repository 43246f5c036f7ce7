/** Hears the usage that routers tell. With a fleet key, only messages count that are signed with it. */
import { routerUsageFrom, type RouterUsage } from '@switchyard/contracts'
import { logEvent } from '../logging/log-event.ts'
import type { Logger } from '../logging/logger.ts'
import { declareCounter } from '../metrics/metric.ts'
import { DisbelievedMessages } from './disbelieved-messages.ts'
import type { FleetKey } from './fleet-key.ts'
import { type RoutersHeard, senderOf } from './hear-routers.ts'

export type HearUsageOptions = {
  /** Subscribes to the usage of all routers. A message may arrive late, twice, or after later ones. */
  readonly subscribe: (handler: (message: unknown, subject: string) => void) => Disposable
  /** The key that verifies messages. If it is absent, every message counts that its subject allows. */
  readonly fleetKey?: FleetKey | undefined
  readonly logger: Logger
  /** Called with each message. Returns whether it is of use. */
  readonly onUsage: (usage: RouterUsage) => boolean
  /** Unix milliseconds. */
  readonly now?: () => number
  readonly monotonicNow?: () => number
}

/** The log events of this file. */
export const LOGGED = {
  ignored: logEvent('usage.ignored', {
    level: 'debug',
    fields: ['subject'],
    services: 'registry',
    says: 'The usage of a minute was not understood, too large, of another time, or of another router than its subject names',
  }),
  notBelieved: logEvent('usage.not-believed', {
    level: 'warn',
    fields: ['subject', 'reason', 'count'],
    services: 'registry',
    says: "A sender without the fleet's key tells usage, or a router has another key than this service.",
    advice: 'See [security.md](security.md#who-counts-as-a-router)',
  }),
}

export const NOT_BELIEVED = declareCounter('switchyard.usage.not_believed', {
  description: 'Messages about usage that were not believed, by what is wrong with their signature',
  labels: { reason: ['unsigned', 'wrong-signature', 'other-time'] },
})

/** Hears usage until the result is disposed. */
export function hearUsage(options: HearUsageOptions): RoutersHeard {
  const { subscribe, fleetKey, logger, onUsage, now, monotonicNow = () => performance.now() } = options
  const verifier = fleetKey?.verifier({ now, otherTimes: 'taken' }) ?? null
  const disbelieved = new DisbelievedMessages({
    noun: 'usage',
    event: LOGGED.notBelieved,
    metric: NOT_BELIEVED,
    logger,
    monotonicNow,
  })
  const subscription = subscribe((message, subject) => {
    const disbelief = verifier?.judge(subject, senderOf(subject, message), message).disbelief ?? null
    // A stream brings messages again, and each minute of a router counts once.
    if (disbelief !== null && disbelief !== 'repeated') return disbelieved.count(subject, disbelief)
    const usage = routerUsageFrom(subject, message)
    if (usage === null || !onUsage(usage)) LOGGED.ignored.write(logger, { subject })
  })
  return {
    get warning() {
      return disbelieved.warning
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}

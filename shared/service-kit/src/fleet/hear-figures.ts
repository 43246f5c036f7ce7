/**
 * Hears what routers count of guarded rollouts. Percentages are raised by these figures, so only those count
 * that are signed with the fleet key; without one, none do.
 */
import { ALL_ROUTER_FIGURES, routerFiguresFrom } from '@switchyard/contracts'
import type { RouterFigures } from '@switchyard/guards'
import { logEvent } from '../logging/log-event.ts'
import type { Logger } from '../logging/logger.ts'
import { declareCounter } from '../metrics/metric.ts'
import { DisbelievedMessages } from './disbelieved-messages.ts'
import type { FleetKey } from './fleet-key.ts'
import { type RoutersHeard, senderOf } from './hear-routers.ts'

export type HearFiguresOptions = {
  /** Subscribes to a subject, as an announcer does. */
  readonly subscribe: (subject: string, handler: (message: unknown, subject: string) => void) => Disposable
  /** The key that verifies figures. Nothing is heard if it is absent. */
  readonly fleetKey?: FleetKey | undefined
  readonly logger: Logger
  /** Called with each message that counts. A later one of a router replaces all earlier ones of its step. */
  readonly onFigures: (figures: RouterFigures, subject: string) => void
  /** Unix milliseconds. */
  readonly now?: () => number
  readonly monotonicNow?: () => number
}

/** The log events of this file. */
export const LOGGED = {
  ignored: logEvent('figures.ignored', {
    level: 'debug',
    fields: ['subject'],
    services: 'registry, config-distribution',
    says: 'Figures of a guarded rollout were not understood, too large, or of another router than their subject names',
  }),
  notBelieved: logEvent('figures.not-believed', {
    level: 'warn',
    fields: ['subject', 'reason', 'count'],
    services: 'registry, config-distribution',
    says: "A sender without the fleet's key reports figures of a guarded rollout, or a router has another key or another time than this service.",
    advice: 'See [security.md](security.md#who-counts-as-a-router)',
  }),
}

export const NOT_BELIEVED = declareCounter('switchyard.figures.not_believed', {
  description: 'Figures of guarded rollouts that were not believed, by what is wrong with their signature',
  labels: { reason: ['unsigned', 'wrong-signature', 'other-time', 'repeated'] },
})

/** Hears figures until the result is disposed. */
export function hearFigures(options: HearFiguresOptions): RoutersHeard {
  const { subscribe, fleetKey, logger, onFigures, now, monotonicNow = () => performance.now() } = options
  if (fleetKey === undefined) return { warning: null, [Symbol.dispose]: () => {} }
  const verifier = fleetKey.verifier({ now })
  const disbelieved = new DisbelievedMessages({
    noun: 'figures',
    event: LOGGED.notBelieved,
    metric: NOT_BELIEVED,
    logger,
    monotonicNow,
  })
  const subscription = subscribe(ALL_ROUTER_FIGURES, (message, subject) => {
    const { disbelief } = verifier.judge(subject, senderOf(subject, message), message)
    if (disbelief !== null) return disbelieved.count(subject, disbelief)
    const figures = routerFiguresFrom(subject, message)
    if (figures !== null) return onFigures(figures, subject)
    LOGGED.ignored.write(logger, { subject })
  })
  return {
    get warning() {
      return disbelieved.warning
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}

/** Counts subscriptions of clients, and their events. */
import { metrics } from '@opentelemetry/api'
import { createCheapCounter, declareCounter, declareGauge } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'

export const SUBSCRIPTIONS = declareGauge('switchyard.router.subscriptions', {
  description: 'Subscriptions of clients that are being served',
  labels: { flag: 'the flag whose composition answers, empty for base' },
})

export const SUBSCRIPTIONS_ENDED = declareCounter('switchyard.router.subscriptions_ended', {
  description: 'Subscriptions of clients that have ended',
  labels: {
    reason:
      'complete if the source has ended, client if the client has left, or else the error code that it was told',
  },
})

export const SUBSCRIPTION_EVENTS = declareCounter('switchyard.router.subscription_events', {
  description:
    'Events of subscriptions: results that were sent to clients, without errors and with some, and events that were dropped for clients which read too slowly',
  labels: { outcome: ['sent', 'with-errors', 'dropped'] },
})

export const SUBSCRIPTION_MOVES = declareCounter('switchyard.router.subscription_moves', {
  description: 'Subscriptions that went on with another schema than they began with',
})

/** The instruments. */
export class SubscriptionMetrics {
  readonly #open = metrics.getMeter(METER).createUpDownCounter(SUBSCRIPTIONS.name, SUBSCRIPTIONS.options)
  readonly #ended = createCheapCounter(METER, SUBSCRIPTIONS_ENDED)
  readonly #events = createCheapCounter(METER, SUBSCRIPTION_EVENTS)
  readonly #moves = createCheapCounter(METER, SUBSCRIPTION_MOVES)

  began(flag: string | null): void {
    this.#open.add(1, { flag: flag ?? '' })
  }

  ended(flag: string | null, reason: string): void {
    this.#open.add(-1, { flag: flag ?? '' })
    this.#ended.of(reason).record(1)
  }

  sent(errors: number): void {
    this.#events.of(errors === 0 ? 'sent' : 'with-errors').record(1)
  }

  dropped(count: number): void {
    this.#events.of('dropped').record(count)
  }

  moved(): void {
    this.#moves.of().record(1)
  }
}

/**
 * Counts and logs messages of routers that are not believed. They change nothing else, however many they are.
 */
import { metrics } from '@opentelemetry/api'
import type { LogEvent } from '../logging/log-event.ts'
import type { Logger } from '../logging/logger.ts'
import type { Metric } from '../metrics/metric.ts'
import type { Disbelief } from './fleet-key.ts'

/** Milliseconds in which disbelieved messages are logged together, once: there may be many. */
const TOLD_EVERY_MS = 60_000

export type DisbelievedMessagesOptions = {
  /** The messages, in the plural, as sentences name them. */
  readonly noun: string
  readonly event: LogEvent<'subject' | 'reason' | 'count', never, 'warn'>
  readonly metric: Metric<'counter'>
  readonly logger: Logger
  readonly monotonicNow: () => number
}

/** The messages of one kind that were not believed. */
export class DisbelievedMessages {
  readonly #options: DisbelievedMessagesOptions
  readonly #counter
  #count = 0
  #toldAt = -Infinity
  #last: { readonly at: number; readonly text: string } | null = null

  constructor(options: DisbelievedMessagesOptions) {
    const { metric } = options
    this.#options = options
    this.#counter = metrics.getMeter('@switchyard/service-kit').createCounter(metric.name, metric.options)
  }

  /** A warning for the health page, while messages are not believed; otherwise null. */
  get warning(): string | null {
    const last = this.#last
    return last === null || this.#options.monotonicNow() - last.at > TOLD_EVERY_MS ? null : last.text
  }

  /** Counts one message, and logs it together with others. */
  count(subject: string, reason: Disbelief): void {
    const { noun, event, logger, monotonicNow } = this.#options
    this.#counter.add(1, { reason })
    this.#count += 1
    const now = monotonicNow()
    this.#last = {
      at: now,
      text: `${noun} of routers are not believed (the last one on ${subject}: ${reason}), see ${event.name} in the log`,
    }
    if (now - this.#toldAt < TOLD_EVERY_MS) return
    event.write(
      logger,
      { subject, reason, count: this.#count },
      `${this.#count} ${noun} were not believed since the last time, the newest on ${subject}: ${EXPLANATIONS[reason]}`,
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

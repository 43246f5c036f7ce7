/** The events of brokers: what became of their messages, and of what was sent to them. */
import { createCheapCounter, declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'
import { Repeated } from '../observe/repeated.ts'

/** The ways of a message. */
const OUTCOMES = ['passed', 'filtered', 'nonsense', 'too-large', 'dropped'] as const
export type MessageOutcome = (typeof OUTCOMES)[number]

export const BROKER_MESSAGES = declareCounter('switchyard.router.broker_messages', {
  description:
    'Messages of brokers: passed on, filtered by @openfed__subscriptionFilter, nonsense that does not fit the schema, too large for subscriptions.upstream.max_event_size, or dropped since they came too fast',
  labels: { subgraph: '', outcome: OUTCOMES },
})

/** The log events of this file. */
export const LOGGED = {
  skipped: logEvent('events.message-skipped', {
    level: 'warn',
    fields: ['subgraph', 'field', 'reason', 'count'],
    says: 'A message of a broker is no event of the field: it is no JSON, does not fit the schema, or is too large. It was skipped. At most one line in ten seconds for each subgraph; `count`: how many since the last line. Values are never shown.',
    advice: 'Look at who publishes to the subject, and at the schema of the subgraph',
  }),
  dropped: logEvent('events.messages-dropped', {
    level: 'warn',
    fields: ['subgraph', 'messages', 'count'],
    says: 'Messages of a broker came faster than the router reads them, and some were dropped, the last time so many `messages`: the next event of each subscription has `"missed": "unknown"`. As often as `events.message-skipped`.',
    advice:
      'Use several workers or routers, subjects with fewer messages, or a JetStream stream, which is read as fast as it can be',
  }),
}

/** Counts and logs what becomes of messages. */
export class BrokerEvents {
  readonly #log: Logger
  readonly #messages = createCheapCounter(METER, BROKER_MESSAGES)
  readonly #skipped = new Map<string, Repeated>()
  readonly #dropped = new Map<string, Repeated>()

  constructor(logger: Logger) {
    this.#log = logger
  }

  passed(subgraph: string): void {
    this.#messages.of(subgraph, 'passed').record(1)
  }

  filtered(subgraph: string): void {
    this.#messages.of(subgraph, 'filtered').record(1)
  }

  /** `reason` names the schema, and never has a part of the message. */
  skipped(subgraph: string, field: string, outcome: 'nonsense' | 'too-large', reason: string): void {
    this.#messages.of(subgraph, outcome).record(1)
    const count = repeatedIn(this.#skipped, subgraph).count()
    if (count !== null) LOGGED.skipped.write(this.#log, { subgraph, field, reason, count })
  }

  dropped(subgraph: string, messages: number): void {
    this.#messages.of(subgraph, 'dropped').record(messages)
    const count = repeatedIn(this.#dropped, subgraph).count()
    if (count !== null) LOGGED.dropped.write(this.#log, { subgraph, messages, count })
  }
}

function repeatedIn(all: Map<string, Repeated>, subgraph: string): Repeated {
  let known = all.get(subgraph)
  if (known === undefined) all.set(subgraph, (known = new Repeated()))
  return known
}

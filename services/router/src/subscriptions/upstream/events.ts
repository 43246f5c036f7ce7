/** The events of subscriptions at subgraphs. */
import { metrics } from '@opentelemetry/api'
import {
  createCheapCounter,
  declareCounter,
  declareGauge,
  logEvent,
  type Logger,
} from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import { METER } from '../../observe/meter.ts'
import { Repeated } from '../../observe/repeated.ts'
import type { Fault } from './failures.ts'
import type { UpstreamProtocol } from './upstream.ts'

/** The ways in which a message of a subgraph can be none of its protocol. */
const NONSENSE = ['binary', 'not-json', 'no-message', 'unknown-id'] as const
export type Nonsense = (typeof NONSENSE)[number]

export const UPSTREAM_CONNECTIONS = declareGauge('switchyard.router.upstream_connections', {
  description: 'Connections to subgraphs for subscriptions',
  labels: { protocol: ['graphql-transport-ws', 'sse'] },
})

export const UPSTREAM_SOURCES = declareGauge('switchyard.router.upstream_sources', {
  description: 'Subscriptions at subgraphs. Equal subscriptions of clients share one',
  labels: { subgraph: '' },
})

export const UPSTREAM_LISTENERS = declareGauge('switchyard.router.upstream_listeners', {
  description: 'Subscriptions of clients that listen to those at subgraphs, by the subgraph',
  labels: { subgraph: '' },
})

export const UPSTREAM_EVENTS = declareCounter('switchyard.router.upstream_events', {
  description: 'Events that subgraphs sent on subscriptions',
  labels: { subgraph: '' },
})

export const UPSTREAM_NONSENSE = declareCounter('switchyard.router.upstream_nonsense', {
  description:
    'Messages of subgraphs on subscriptions that were skipped, since they are none of the protocol',
  labels: { subgraph: '', kind: NONSENSE },
})

export const UPSTREAM_LOSSES = declareCounter('switchyard.router.upstream_losses', {
  description: 'Connections for subscriptions that were lost or could not be made',
  labels: { subgraph: '', code: 'the error code, as `SUBGRAPH_UNREACHABLE`' },
})

/** The log events of this file. */
export const LOGGED = {
  lost: logEvent('subscription.upstream-lost', {
    level: 'warn',
    fields: ['subgraph', 'code', 'count'],
    rareFields: ['detail'],
    says: 'A connection to a subgraph for subscriptions was lost or could not be made. If it was open before, the router makes it again within `subscriptions.upstream.reconnect_window`. At most one line in ten seconds for each subgraph; `count`: how often since the last line.',
    advice: 'Look at the subgraph; `detail` is the cause',
  }),
  reopened: logEvent('subscription.upstream-reopened', {
    level: 'info',
    fields: ['subgraph', 'count'],
    says: 'A lost connection to a subgraph for subscriptions is open again. As often as `subscription.upstream-lost`.',
  }),
  nonsense: logEvent('subscription.upstream-nonsense', {
    level: 'warn',
    fields: ['subgraph', 'kind', 'count'],
    says: 'A subgraph sent a message on a subscription that is none of the protocol. It was skipped. As often as `subscription.upstream-lost`.',
    advice: 'Look at how the subgraph serves subscriptions',
  }),
  listenerFailed: logEvent('subscription.event-failed', {
    level: 'error',
    fields: ['subgraph', 'reason', 'count'],
    says: 'The router failed while it handled an event of a subgraph for one client. As often as `subscription.upstream-lost`.',
    advice: 'Report it',
  }),
}

/** The lines of one subgraph. */
type Lines = {
  readonly lost: Repeated
  readonly reopened: Repeated
  readonly nonsense: Repeated
  readonly listenerFailed: Repeated
}

/** Counts and logs the events of subscriptions at subgraphs. */
export class UpstreamEvents {
  readonly #log: Logger
  readonly #connections = gauge(UPSTREAM_CONNECTIONS)
  readonly #sources = gauge(UPSTREAM_SOURCES)
  readonly #listeners = gauge(UPSTREAM_LISTENERS)
  readonly #received = createCheapCounter(METER, UPSTREAM_EVENTS)
  readonly #nonsense = createCheapCounter(METER, UPSTREAM_NONSENSE)
  readonly #losses = createCheapCounter(METER, UPSTREAM_LOSSES)
  readonly #lines = new Map<string, Lines>()

  constructor(logger: Logger) {
    this.#log = logger
  }

  connected(protocol: UpstreamProtocol): void {
    this.#connections.add(1, { protocol })
  }

  disconnected(protocol: UpstreamProtocol): void {
    this.#connections.add(-1, { protocol })
  }

  sourceOpened(subgraph: string): void {
    this.#sources.add(1, { subgraph })
  }

  sourceClosed(subgraph: string): void {
    this.#sources.add(-1, { subgraph })
  }

  listenerJoined(subgraph: string): void {
    this.#listeners.add(1, { subgraph })
  }

  listenerLeft(subgraph: string): void {
    this.#listeners.add(-1, { subgraph })
  }

  received(subgraph: string): void {
    this.#received.of(subgraph).record(1)
  }

  nonsense(subgraph: string, kind: Nonsense): void {
    this.#nonsense.of(subgraph, kind).record(1)
    const count = this.#linesOf(subgraph).nonsense.count()
    if (count !== null) LOGGED.nonsense.write(this.#log, { subgraph, kind, count })
  }

  lost(subgraph: string, { failure, detail }: Pick<Fault, 'failure' | 'detail'>): void {
    const { code, message } = failure
    this.#losses.of(subgraph, code).record(1)
    const count = this.#linesOf(subgraph).lost.count()
    if (count === null) return
    LOGGED.lost.write(this.#log, { subgraph, code, count, ...(detail !== null && { detail }) }, message)
  }

  reopened(subgraph: string): void {
    const count = this.#linesOf(subgraph).reopened.count()
    if (count !== null) LOGGED.reopened.write(this.#log, { subgraph, count })
  }

  listenerFailed(subgraph: string, error: unknown): void {
    const count = this.#linesOf(subgraph).listenerFailed.count()
    if (count !== null) LOGGED.listenerFailed.write(this.#log, { subgraph, reason: messageOf(error), count })
  }

  #linesOf(subgraph: string): Lines {
    let lines = this.#lines.get(subgraph)
    if (lines === undefined) {
      lines = {
        lost: new Repeated(),
        reopened: new Repeated(),
        nonsense: new Repeated(),
        listenerFailed: new Repeated(),
      }
      this.#lines.set(subgraph, lines)
    }
    return lines
  }
}

function gauge({ name, options }: typeof UPSTREAM_CONNECTIONS) {
  return metrics.getMeter(METER).createUpDownCounter(name, options)
}

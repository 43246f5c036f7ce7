/** Metrics and log events of WebSockets. */
import { type Meter, metrics } from '@opentelemetry/api'
import {
  createCheapCounter,
  declareCounter,
  declareGauge,
  logEvent,
  type Logger,
  observeTogether,
} from '@switchyard/service-kit'
import { MAX_LOGGED } from '../../observe/logged.ts'
import { METER } from '../../observe/meter.ts'
import { Repeated } from '../../observe/repeated.ts'
import type { EndReason } from './closing.ts'

export const OPEN_SOCKETS = declareGauge('switchyard.router.open_sockets', {
  description: 'WebSockets of clients that are open',
})

export const SOCKET_OPERATIONS = declareGauge('switchyard.router.active_socket_operations', {
  description: 'Operations that are in progress on WebSockets of clients',
})

export const ENDED_SOCKETS = declareCounter('switchyard.router.ended_sockets', {
  description: 'WebSockets of clients that have ended, by the reason',
  labels: {
    reason:
      '`client` closed it, `lost`, `idle`, `age`, `draining`, `init-timeout`, `initialised-twice`, `not-initialised`, `bad-message`, `id-in-use`, `forbidden`, `unavailable`, `frame`, `half-message`, `no-pong` or `stalled`: see [subscriptions.md](subscriptions.md#when-the-router-closes-a-websocket)',
  },
})

export const REFUSED_SUBPROTOCOLS = declareCounter('switchyard.router.refused_subprotocols', {
  description: 'Handshakes of WebSockets that were refused because the client speaks another subprotocol',
})

/** The log events of this file. */
export const LOGGED = {
  subprotocol: logEvent('sockets.subprotocol-refused', {
    level: 'warn',
    fields: ['subprotocols', 'refused'],
    says: 'Clients open WebSockets with other subprotocols than `graphql-transport-ws`, and are refused with 400, which browsers do not show. `subprotocols`: those of the last one',
    advice:
      'Let clients use the library `graphql-ws`; `graphql-ws` as a subprotocol is the one of the older `subscriptions-transport-ws`, which is not spoken',
  }),
  off: logEvent('sockets.switched-off', {
    level: 'warn',
    fields: ['refused'],
    says: 'Clients open WebSockets, and are refused with 400, since `subscriptions.enabled` is false. Browsers do not show the answer',
    advice: 'Set `subscriptions.enabled: true`, or let clients send their operations by POST',
  }),
  ended: logEvent('sockets.ended', {
    level: 'info',
    fields: ['reason', 'milliseconds', 'operations'],
    rareFields: ['code', 'detail', 'client'],
    says: 'A WebSocket is over: one line each (`access_log.enabled`), beside those of its operations (`request.answered`). `reason`: [why](subscriptions.md#when-the-router-closes-a-websocket); `code`: the code of its close frame; `operations`: how many it had.',
  }),
}

/** A WebSocket that has ended. */
export type EndedSocket = {
  readonly reason: EndReason
  /** The code of the close frame; null if there was none. */
  readonly code: number | null
  /** Words about the reason; empty if there are none. */
  readonly detail: string
  readonly milliseconds: number
  readonly operations: number
  /** The name that the client gave itself; empty if it has none. */
  readonly client: string
}

/** Counts and logs what happens on WebSockets. */
export class SocketEvents {
  readonly #log: Logger
  readonly #logsClients: () => boolean
  readonly #ended = createCheapCounter(METER, ENDED_SOCKETS)
  readonly #refused = createCheapCounter(METER, REFUSED_SUBPROTOCOLS)
  readonly #refusals = new Repeated()
  readonly #whileOff = new Repeated()

  /** `logsClients` tells whether events of single clients are logged. */
  constructor(logger: Logger, logsClients: () => boolean) {
    this.#log = logger
    this.#logsClients = logsClients
  }

  subprotocolRefused(subprotocols: string): void {
    this.#refused.of().record(1)
    const refused = this.#refusals.count()
    if (refused === null) return
    LOGGED.subprotocol.write(this.#log, { subprotocols: subprotocols.slice(0, MAX_LOGGED), refused })
  }

  switchedOff(): void {
    const refused = this.#whileOff.count()
    if (refused !== null) LOGGED.off.write(this.#log, { refused })
  }

  ended({ reason, code, detail, milliseconds, operations, client }: EndedSocket): void {
    this.#ended.of(reason).record(1)
    if (!this.#logsClients()) return
    LOGGED.ended.write(
      this.#log,
      {
        reason,
        milliseconds: Math.round(milliseconds),
        operations,
        ...(code === null ? {} : { code }),
        ...(detail === '' ? {} : { detail: detail.slice(0, MAX_LOGGED) }),
        ...(client === '' ? {} : { client: client.slice(0, MAX_LOGGED) }),
      },
      `A WebSocket has ended: ${reason}`,
    )
  }
}

/** Observes open WebSockets until the result is disposed. */
export function observeSockets(
  state: { readonly open: () => number; readonly operations: () => number },
  meter: Meter = metrics.getMeter(METER),
): Disposable {
  const open = meter.createObservableUpDownCounter(OPEN_SOCKETS.name, OPEN_SOCKETS.options)
  const operations = meter.createObservableUpDownCounter(SOCKET_OPERATIONS.name, SOCKET_OPERATIONS.options)
  return observeTogether(meter, [open, operations], (result) => {
    result.observe(open, state.open())
    result.observe(operations, state.operations())
  })
}

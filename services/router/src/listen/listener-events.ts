/** The events of the listening socket: who can reach the router, how, and until when. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'
import { Repeated } from '../observe/repeated.ts'

/**
 * The reason why an HTTP/2 connection is closed: more requests begun at once, or more bodies that do not
 * come, than a client has reason for.
 */
export type Http2Limit = 'requests-at-once' | 'missing-bodies'

export const LIMITED = declareCounter('switchyard.router.limited', {
  description: 'Connections, requests and streams that were ended because of a limit',
  labels: {
    limit: [
      'connections',
      'unread-requests',
      'pipelined-requests',
      'unsent-size',
      'unanswered-size',
      'requests-at-once',
      'missing-bodies',
    ],
  },
})

/** The log events of this file. */
export const LOGGED = {
  listening: logEvent('router.listening', {
    level: 'info',
    fields: ['url'],
    says: 'GraphQL is served at `url`.',
  }),
  playground: logEvent('router.playground', {
    level: 'info',
    fields: ['url'],
    says: 'The [playground](playground.md) is served at `url`.',
  }),
  playgroundNotBuilt: logEvent('router.playground-not-built', {
    level: 'warn',
    says: 'The playground is on (`playground.enabled`), but its page has not been built: "make playground" builds it',
    advice: '`make playground`, or set `playground.enabled: false`.',
  }),
  devMode: logEvent('router.dev-mode', {
    level: 'warn',
    says: 'Dev mode is on (`dev_mode`, `DEV_MODE`): anybody may ask for what shows the inside of this router. Switch it off in production',
    advice: 'Switch it off in production',
  }),
  tracingActive: logEvent('router.tracing-active', {
    level: 'warn',
    fields: ['tokenNeeded'],
    says: 'Clients that have a token may trace requests, or all clients if `tokenNeeded` is false.',
    advice: 'See [trace-tokens.md](trace-tokens.md)',
  }),
  tracingForced: logEvent('router.tracing-forced', {
    level: 'warn',
    fields: ['effective'],
    says: 'Everybody gets traces, without a token. If `effective` is false, tracing is switched off, and nobody does.',
    advice: 'Switch it off in production',
  }),
  certificateExpired: logEvent('tls.certificate-expired', {
    level: 'warn',
    fields: ['file', 'validTo'],
    says: 'The certificate of the router has expired: clients will refuse it.',
    advice: 'Renew it',
  }),
  certificateRenewed: logEvent('tls.certificate-renewed', {
    level: 'info',
    fields: ['validTo'],
    says: 'The certificate was read again, for new connections.',
  }),
  certificateNotRenewed: logEvent('tls.certificate-not-renewed', {
    level: 'error',
    fields: ['reason'],
    says: 'The files of the certificate have changed and cannot be used: the one read before stays, and they are tried again',
    advice: 'Correct the files, which are tried again',
  }),
  handshakeFailed: logEvent('tls.handshake-failed', {
    level: 'info',
    fields: ['reason'],
    says: 'A client came to no agreement over TLS',
  }),
  unreadLimit: logEvent('router.unread-limit', {
    level: 'warn',
    fields: ['refused'],
    says: 'Requests that waited longest for their bodies are refused: more wait than `traffic.max_unread_requests` or `traffic.max_unread_requests_per_client` allows',
    advice: 'Find out who sends them',
  }),
  openFiles: logEvent('router.open-files', {
    level: 'info',
    fields: ['openFiles', 'connections'],
    says: 'The system allows fewer connections than the settings.',
    advice: 'Raise `ulimit -n`',
  }),
  connectionsLimit: logEvent('router.connections-limit', {
    level: 'warn',
    fields: ['closed', 'perClient', 'total'],
    says: 'There are more connections than allowed. The router closes those that wait longest.',
    advice: 'Find out who opens them, and see `traffic.trusted_proxies` and `traffic.max_connections`',
  }),
  unsentLimit: logEvent('router.unsent-limit', {
    level: 'warn',
    fields: ['givenUp', 'bytes'],
    says: 'Answers that waited longest for their clients to read them are given up: more bytes wait than `traffic.max_unsent_size` or `traffic.max_unsent_size_per_client` allows',
    advice: 'Find out who reads slowly, and see `traffic.max_unsent_size`',
  }),
  unansweredLimit: logEvent('router.unanswered-limit', {
    level: 'warn',
    fields: ['givenUp', 'bytes'],
    says: 'Requests are given up that have held much for longest: those not answered yet hold more than `traffic.max_unanswered_size` or `traffic.max_unanswered_size_per_client` allows',
    advice: 'Look for large bodies or answers, and see `traffic.max_unanswered_size`',
  }),
  pipelineLimit: logEvent('router.pipeline-limit', {
    level: 'warn',
    fields: ['closed'],
    says: 'Connections are closed on which more requests wait for an earlier one to be answered than HTTP/1 clients have reason to send',
    advice: 'Find out who sends them',
  }),
  http2Limit: logEvent('router.http2-limit', {
    level: 'warn',
    fields: ['closed', 'limit'],
    says: 'Connections of HTTP/2 are closed on which a client begins more requests at once than it may have open, or on which most requests wait for bodies that do not come',
    advice: 'Find out who sends them',
  }),
  leaving: logEvent('router.leaving', {
    level: 'info',
    fields: ['delay'],
    says: 'The router is about to stop. It is not ready any more, and still answers.',
  }),
  draining: logEvent('router.draining', {
    level: 'info',
    fields: ['inFlight'],
    says: 'The router refuses new requests, and finishes the `inFlight` requests that it has.',
  }),
  drainLimit: logEvent('router.drain-limit', {
    level: 'warn',
    fields: ['inFlight'],
    says: '`inFlight` requests did not finish within `shutdown.drain_timeout` and were ended.',
    advice: 'Raise `shutdown.drain_timeout`, if requests may take that long',
  }),
}

/** Logs and counts what happens at the listening socket and its connections. */
export class ListenerEvents {
  readonly #log: Logger
  readonly #logsClients: () => boolean
  readonly #limited = metrics.getMeter(METER).createCounter(LIMITED.name, LIMITED.options)
  readonly #unreadRefused = new Repeated()
  readonly #connectionsClosed = new Repeated()
  readonly #answersGivenUp = new Repeated()
  readonly #requestsGivenUp = new Repeated()
  readonly #pipelinesClosed = new Repeated()
  readonly #http2Closed = new Repeated()

  /** `logsClients` tells whether events of single clients are logged. */
  constructor(logger: Logger, logsClients: () => boolean) {
    this.#log = logger
    this.#logsClients = logsClients
  }

  listening(url: string): void {
    LOGGED.listening.write(this.#log, { url }, `GraphQL over HTTP at ${url}`)
  }

  playground(url: string): void {
    LOGGED.playground.write(this.#log, { url }, `Playground at ${url}`)
  }

  playgroundNotBuilt(): void {
    LOGGED.playgroundNotBuilt.write(this.#log, {})
  }

  devMode(): void {
    LOGGED.devMode.write(this.#log, {})
  }

  /** Reports that traces can be asked for. `tokenHeader` is null if nobody needs a token. */
  tracingActive(header: string, tokenHeader: string | null): void {
    const who =
      tokenHeader === null
        ? `whoever sends ${header} gets a trace of the request, without a token`
        : `whoever sends ${header} with a valid token in ${tokenHeader} gets a trace of the request`
    LOGGED.tracingActive.write(
      this.#log,
      { tokenNeeded: tokenHeader !== null },
      `Request tracing is active: ${who}. Switch it off with engine.enable_request_tracing (ENGINE_ENABLE_REQUEST_TRACING=false)`,
    )
  }

  tracingForced(isEnabled: boolean): void {
    const option =
      'engine.force_unauthenticated_request_tracing (ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING)'
    LOGGED.tracingForced.write(
      this.#log,
      { effective: isEnabled },
      isEnabled
        ? `DANGER: ${option} is on. ANYBODY who can reach this router gets full traces, without a token. They can expose internal subgraph URLs and topology, ` +
            'requests to subgraphs with propagated headers that may hold credentials, raw subgraph answers with fields that no client may see, query plans, and the timing of every fetch. Switch it off in production'
        : `${option} is on, but has no effect: request tracing is switched off by engine.enable_request_tracing`,
    )
  }

  certificateExpired(file: string, validTo: string): void {
    LOGGED.certificateExpired.write(
      this.#log,
      { file, validTo },
      `The certificate in ${file} is valid until ${validTo}, which is over: clients will refuse it. It is used until the file changes`,
    )
  }

  certificateRenewed(validTo: string): void {
    LOGGED.certificateRenewed.write(
      this.#log,
      { validTo },
      `The certificate was read again, for new connections; it is valid until ${validTo}`,
    )
  }

  certificateNotRenewed(reason: string): void {
    LOGGED.certificateNotRenewed.write(this.#log, { reason })
  }

  /** A TLS handshake failed. `reason` is the code of the error. */
  handshakeFailed(reason: string): void {
    if (!this.#logsClients()) return
    LOGGED.handshakeFailed.write(this.#log, { reason })
  }

  unreadRequestRefused(): void {
    this.#limited.add(1, { limit: 'unread-requests' })
    const refused = this.#unreadRefused.count()
    if (refused === null) return
    LOGGED.unreadLimit.write(this.#log, { refused })
  }

  connectionsLowered(openFiles: number, connections: number, wanted: number): void {
    LOGGED.openFiles.write(
      this.#log,
      { openFiles, connections },
      `At most ${connections} connections of clients are taken and not ${wanted} (traffic.max_connections): the system lets this process have ${openFiles} files open (ulimit -n)`,
    )
  }

  connectionClosed({ perClient, total }: { readonly perClient: number; readonly total: number }): void {
    this.#limited.add(1, { limit: 'connections' })
    const closed = this.#connectionsClosed.count()
    if (closed === null) return
    LOGGED.connectionsLimit.write(
      this.#log,
      { closed, perClient, total },
      `Connections are closed, those that wait longest first: one client address has more than ${perClient} (traffic.max_connections_per_client), or all have more than ${total}`,
    )
  }

  /** An answer was given up. `bytes` is the number of its bytes that waited. */
  answerGaveWay(bytes: number): void {
    this.#limited.add(1, { limit: 'unsent-size' })
    const givenUp = this.#answersGivenUp.count()
    if (givenUp === null) return
    LOGGED.unsentLimit.write(this.#log, { givenUp, bytes })
  }

  /** A request was given up. `bytes` is the number of bytes that it held. */
  requestGaveWay(bytes: number): void {
    this.#limited.add(1, { limit: 'unanswered-size' })
    const givenUp = this.#requestsGivenUp.count()
    if (givenUp === null) return
    LOGGED.unansweredLimit.write(this.#log, { givenUp, bytes })
  }

  pipelineRefused(): void {
    this.#limited.add(1, { limit: 'pipelined-requests' })
    const closed = this.#pipelinesClosed.count()
    if (closed === null) return
    LOGGED.pipelineLimit.write(this.#log, { closed })
  }

  http2Closed(limit: Http2Limit): void {
    this.#limited.add(1, { limit })
    const closed = this.#http2Closed.count()
    if (closed === null) return
    LOGGED.http2Limit.write(this.#log, { closed, limit })
  }

  leaving(delay: number): void {
    LOGGED.leaving.write(
      this.#log,
      { delay },
      `Not ready any more; requests are still answered for ${delay} ms, so that load balancers send none when draining begins`,
    )
  }

  draining(inFlight: number): void {
    LOGGED.draining.write(this.#log, { inFlight }, `Draining ${inFlight} requests`)
  }

  drainLimitReached(inFlight: number): void {
    LOGGED.drainLimit.write(
      this.#log,
      { inFlight },
      `${inFlight} requests did not finish in time and were ended`,
    )
  }
}

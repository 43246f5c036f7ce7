/** The events of the listening socket: who can reach the router, how, and until when. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, type Logger } from '@switchyard/service-kit'
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
    this.#log.info({ event: 'router.listening', url }, `GraphQL over HTTP at ${url}`)
  }

  playground(url: string): void {
    this.#log.info({ event: 'router.playground', url }, `Playground at ${url}`)
  }

  playgroundNotBuilt(): void {
    this.#log.warn(
      { event: 'router.playground-not-built' },
      'The playground is on (playground.enabled), but its page has not been built: "make playground" builds it',
    )
  }

  devMode(): void {
    this.#log.warn(
      { event: 'router.dev-mode' },
      'Dev mode is on (dev_mode, DEV_MODE): anybody may ask for what shows the inside of this router. Switch it off in production',
    )
  }

  /** Reports that traces can be asked for. `tokenHeader` is null if nobody needs a token. */
  tracingActive(header: string, tokenHeader: string | null): void {
    const who =
      tokenHeader === null
        ? `whoever sends ${header} gets a trace of the request, without a token`
        : `whoever sends ${header} with a valid token in ${tokenHeader} gets a trace of the request`
    this.#log.warn(
      { event: 'router.tracing-active', tokenNeeded: tokenHeader !== null },
      `Request tracing is active: ${who}. Switch it off with engine.enable_request_tracing (ENGINE_ENABLE_REQUEST_TRACING=false)`,
    )
  }

  tracingForced(isEnabled: boolean): void {
    const option =
      'engine.force_unauthenticated_request_tracing (ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING)'
    this.#log.warn(
      { event: 'router.tracing-forced', effective: isEnabled },
      isEnabled
        ? `DANGER: ${option} is on. ANYBODY who can reach this router gets full traces, without a token. They can expose internal subgraph URLs and topology, ` +
            'requests to subgraphs with propagated headers that may hold credentials, raw subgraph answers with fields that no client may see, query plans, and the timing of every fetch. Switch it off in production'
        : `${option} is on, but has no effect: request tracing is switched off by engine.enable_request_tracing`,
    )
  }

  certificateExpired(file: string, validTo: string): void {
    this.#log.warn(
      { event: 'tls.certificate-expired', file, validTo },
      `The certificate in ${file} is valid until ${validTo}, which is over: clients will refuse it. It is used until the file changes`,
    )
  }

  certificateRenewed(validTo: string): void {
    this.#log.info(
      { event: 'tls.certificate-renewed', validTo },
      `The certificate was read again, for new connections; it is valid until ${validTo}`,
    )
  }

  certificateNotRenewed(reason: string): void {
    this.#log.error(
      { event: 'tls.certificate-not-renewed', reason },
      'The files of the certificate have changed and cannot be used: the one read before stays, and they are tried again',
    )
  }

  /** A TLS handshake failed. `reason` is the code of the error. */
  handshakeFailed(reason: string): void {
    if (!this.#logsClients()) return
    this.#log.info({ event: 'tls.handshake-failed', reason }, 'A client came to no agreement over TLS')
  }

  unreadRequestRefused(): void {
    this.#limited.add(1, { limit: 'unread-requests' })
    const refused = this.#unreadRefused.count()
    if (refused === null) return
    this.#log.warn(
      { event: 'router.unread-limit', refused },
      'Requests that waited longest for their bodies are refused: more wait than traffic.max_unread_requests or traffic.max_unread_requests_per_client allows',
    )
  }

  connectionsLowered(openFiles: number, connections: number, wanted: number): void {
    this.#log.info(
      { event: 'router.open-files', openFiles, connections },
      `At most ${connections} connections of clients are taken and not ${wanted} (traffic.max_connections): the system lets this process have ${openFiles} files open (ulimit -n)`,
    )
  }

  connectionClosed({ perClient, total }: { readonly perClient: number; readonly total: number }): void {
    this.#limited.add(1, { limit: 'connections' })
    const closed = this.#connectionsClosed.count()
    if (closed === null) return
    this.#log.warn(
      { event: 'router.connections-limit', closed, perClient, total },
      `Connections are closed, those that wait longest first: one client address has more than ${perClient} (traffic.max_connections_per_client), or all have more than ${total}`,
    )
  }

  /** An answer was given up. `bytes` is the number of its bytes that waited. */
  answerGaveWay(bytes: number): void {
    this.#limited.add(1, { limit: 'unsent-size' })
    const givenUp = this.#answersGivenUp.count()
    if (givenUp === null) return
    this.#log.warn(
      { event: 'router.unsent-limit', givenUp, bytes },
      'Answers that waited longest for their clients to read them are given up: more bytes wait than traffic.max_unsent_size or traffic.max_unsent_size_per_client allows',
    )
  }

  /** A request was given up. `bytes` is the number of bytes that it held. */
  requestGaveWay(bytes: number): void {
    this.#limited.add(1, { limit: 'unanswered-size' })
    const givenUp = this.#requestsGivenUp.count()
    if (givenUp === null) return
    this.#log.warn(
      { event: 'router.unanswered-limit', givenUp, bytes },
      'Requests are given up that have held much for longest: those not answered yet hold more than traffic.max_unanswered_size or traffic.max_unanswered_size_per_client allows',
    )
  }

  pipelineRefused(): void {
    this.#limited.add(1, { limit: 'pipelined-requests' })
    const closed = this.#pipelinesClosed.count()
    if (closed === null) return
    this.#log.warn(
      { event: 'router.pipeline-limit', closed },
      'Connections are closed on which more requests wait for an earlier one to be answered than HTTP/1 clients have reason to send',
    )
  }

  http2Closed(limit: Http2Limit): void {
    this.#limited.add(1, { limit })
    const closed = this.#http2Closed.count()
    if (closed === null) return
    this.#log.warn(
      { event: 'router.http2-limit', closed, limit },
      'Connections of HTTP/2 are closed on which a client begins more requests at once than it may have open, or on which most requests wait for bodies that do not come',
    )
  }

  leaving(delay: number): void {
    this.#log.info(
      { event: 'router.leaving', delay },
      `Not ready any more; requests are still answered for ${delay} ms, so that load balancers send none when draining begins`,
    )
  }

  draining(inFlight: number): void {
    this.#log.info({ event: 'router.draining', inFlight }, `Draining ${inFlight} requests`)
  }

  drainLimitReached(inFlight: number): void {
    this.#log.warn(
      { event: 'router.drain-limit', inFlight },
      `${inFlight} requests did not finish in time and were ended`,
    )
  }
}

/** Requests as they arrive at one route: each with the exchange that holds what is done for it. */
import { executionWork } from '@switchyard/engine'
import type { RouterConfig } from '../config/router-config.ts'
import { ClientIdentification } from '../concerns/client-names/client-identification.ts'
import type { ByteShares } from '../fairness/byte-shares.ts'
import type { ClientLookup } from '../fairness/client.ts'
import type { TurnQueue } from '../fairness/turn-queue.ts'
import type { ResponseType } from '../http/negotiate.ts'
import { requestIdSource } from '../http/request-ids.ts'
import type { Connections } from '../listen/connections.ts'
import type { Traffic } from '../listen/traffic.ts'
import type { RequestObserver } from '../observe/request-observer.ts'
import { RequestReport } from '../observe/request-report.ts'
import { RequestSpan, type RequestSpans } from '../observe/request-spans.ts'
import type { Arrived } from '../request/arrived.ts'
import type { ClientRequest } from '../http/virtual-request.ts'
import type { ClientResponse } from '../http/client-response.ts'
import { Exchange } from '../request/exchange.ts'
import type { NamedClient } from '../request/named-client.ts'

/** The parts that know and watch the requests of a route. */
export type ArrivalParts = {
  readonly config: RouterConfig
  readonly connections: Connections
  readonly traffic: Traffic
  /** Shares of clients in the bytes that unanswered requests hold. */
  readonly unanswered: ByteShares
  /** Turns of the event loop for long work of requests. */
  readonly turns: TurnQueue
  /** The path of the route, with `{key}` in place of what clients put there. */
  readonly route: string
  readonly spans: RequestSpans
  /** Observers of all requests of the route. */
  readonly observers: readonly RequestObserver[]
}

/** A request with the facts that its route finds out first. */
type Received = {
  readonly request: ClientRequest
  readonly response: ClientResponse
  /** The media type of the answer; null if the client accepts none that the router writes. */
  readonly type: ResponseType | null
  /** Whether the client accepts nothing but an event stream: then its answer is the only event of one. */
  readonly answersByEvents?: boolean
  /** The query string, without the question mark. */
  readonly search: string
}

/** Opens an exchange for a request, which is closed with the response. */
export type Arrive = (received: Received) => Arrived

/** Makes the function for the requests of one route. */
export function arrivalsAt(parts: ArrivalParts): Arrive {
  const { config, connections, traffic, unanswered } = parts
  const requestId = requestIdSource(config.requestId)
  const { nameHeaders, versionHeaders } = config.clientIdentification
  const identification = new ClientIdentification(nameHeaders, versionHeaders)
  return ({ request, response, type, answersByEvents = false, search }) => {
    // What is refused while draining does not prolong it.
    const visit = traffic.draining ? null : traffic.enter()
    const client = connections.clientOf(request)
    const named = identification.of(request.headers)
    const id = requestId(request.headers)
    const lookUpClient = lookUpOf(client, named.name)
    const turns = parts.turns.of(lookUpClient)
    const exchange = new Exchange({
      request,
      response,
      type,
      answersByEvents,
      client,
      named,
      visit,
      unanswered,
      work: executionWork(turns, config.limits.executionSteps),
      report: reportOn(request, id, named, parts),
    })
    closeWith(response, exchange)
    return { exchange, search, lookUpClient, turns }
  }
}

/** Apart from what else is known of a request, so that it is not kept for as long as this is. */
function lookUpOf(address: string, name: string): ClientLookup {
  return () => ({ address, name })
}

function closeWith(response: ClientResponse, exchange: Exchange): void {
  response.on('close', () => exchange.close())
}

function reportOn(
  request: ClientRequest,
  requestId: string,
  { name, version }: NamedClient,
  { route, spans, observers }: Pick<ArrivalParts, 'route' | 'spans' | 'observers'>,
): RequestReport {
  const span = spans(request)
  const report = new RequestReport(request, span, { requestId, route }, observers)
  if (name !== '') report.clientNamed(name, version)
  if (span.isRecording) report.add(new RequestSpan(span))
  return report
}

/**
 * `{base path}/graphql`: one request from its first line to the last byte of its answer.
 *
 * The response's `close` event ends everything, however it came to it: the generation is let go, subgraph
 * calls that nobody waits for are given up, the request is logged.
 */
import type { IncomingMessage } from 'node:http'
import { executionWork } from '@switchyard/engine'
import type { ByteShares } from '../fairness/byte-shares.ts'
import { ClientIdentification } from '../concerns/client-names/client-identification.ts'
import type { ClientLookup } from '../fairness/client.ts'
import { StartQueue } from '../fairness/start-queue.ts'
import type { TurnQueue } from '../fairness/turn-queue.ts'
import { VisitorCookies } from '../concerns/rollouts/visitor-cookie.ts'
import type { RouterConfig } from '../config/router-config.ts'
import { HttpError } from '../errors/http-error.ts'
import type { GraphQLRoute } from '../http/handler.ts'
import { JSON_TYPE, negotiate } from '../http/negotiate.ts'
import { requestIdSource } from '../http/request-ids.ts'
import type { RequestObserver } from '../observe/request-observer.ts'
import { RequestReport } from '../observe/request-report.ts'
import { RequestSpan, type RequestSpans } from '../observe/request-spans.ts'
import { Answers } from './answers/answers.ts'
import { checkTraffic, shedLoad } from './stages/check-traffic.ts'
import { DeferProbe } from './stages/defer-probe.ts'
import { Exchange } from '../request/exchange.ts'
import type { NamedClient } from '../request/named-client.ts'
import { drive } from './drive.ts'
import { type PipelineParts, stagesOf } from './stages.ts'

/** The parts that the endpoint is made from. */
export type GraphQLRouteOptions = Omit<
  PipelineParts,
  'answers' | 'probe' | 'starts' | 'batching' | 'visitors' | 'areVisitorsTold'
> & {
  /** Turns of the event loop for long work of requests. */
  readonly turns: TurnQueue
  readonly spans: RequestSpans
  /** Shares of clients in the bytes that unanswered requests hold. */
  readonly unanswered: ByteShares
  /** Observers of all requests. */
  readonly observers: readonly RequestObserver[]
}

/** The route of the endpoint; all its requests share `options`. */
export function createGraphQLRoute(options: GraphQLRouteOptions): GraphQLRoute {
  const { config, traffic, unanswered } = options
  const answers = new Answers(config, traffic, options.client.propagation.handedOn)
  const probe = new DeferProbe(config, answers, options.streams)
  const starts = new StartQueue(() => unanswered.bytes)
  const visitors = visitorCookies(config, answers)
  const areVisitorsTold = config.overrideLabels.key.includes('visitor_cookie')
  const parts = { ...options, answers, probe, starts, visitors, areVisitorsTold }
  const alone = createRoute(options, { ...parts, batching: null })
  const { enabled, maxOperations } = config.batching
  if (!enabled) return alone
  return createRoute(options, { ...parts, batching: { maxOperations, alone } })
}

function visitorCookies({ rollouts, tls }: RouterConfig, { headers }: Answers): VisitorCookies | null {
  if (rollouts.visitorKey === null) return null
  return new VisitorCookies({
    key: rollouts.visitorKey,
    isSecure: tls !== null,
    areKept: (request) => headers.areCookiesKept(request),
  })
}

function createRoute(options: GraphQLRouteOptions, parts: PipelineParts): GraphQLRoute {
  const { config, traffic, connections, unanswered } = options
  const { answers } = parts
  const requestId = requestIdSource(config.requestId)
  const { nameHeaders, versionHeaders } = config.clientIdentification
  const identification = new ClientIdentification(nameHeaders, versionHeaders)
  const stages = stagesOf(parts)
  return (request, response, search) => {
    // What is refused while draining does not prolong it.
    const visit = traffic.draining ? null : traffic.enter()
    const client = connections.clientOf(request)
    const named = identification.of(request.headers)
    const isServed = request.method === 'POST' || request.method === 'GET'
    const id = requestId(request.headers)
    const lookUpClient: ClientLookup = () => ({ address: client, name: named.name })
    const turns = options.turns.of(lookUpClient)
    const exchange = new Exchange({
      request,
      response,
      type: isServed ? negotiate(request.headers.accept) : JSON_TYPE,
      requestId: id,
      client,
      named,
      visit,
      unanswered,
      work: executionWork(turns, config.limits.executionSteps),
      report: reportOn(request, id, named, options),
    })
    response.on('close', () => exchange.close())
    try {
      if (answers.headers.preflight(exchange)) return
      if (!isServed) {
        throw new HttpError('METHOD_NOT_ALLOWED', 'GraphQL is served by POST and GET.', {
          Allow: answers.headers.methods,
        })
      }
      checkTraffic(options)
      shedLoad(options)
    } catch (error) {
      return answers.refuse(exchange, error)
    }
    drive(stages, { exchange, search, lookUpClient, turns }).catch((error: unknown) =>
      answers.refuse(exchange, error),
    )
  }
}

function reportOn(
  request: IncomingMessage,
  requestId: string,
  { name, version }: NamedClient,
  { spans, observers }: Pick<GraphQLRouteOptions, 'spans' | 'observers'>,
): RequestReport {
  const span = spans(request)
  const report = new RequestReport(request, span, requestId, observers)
  if (name !== '') report.clientNamed(name, version)
  if (span.isRecording) report.add(new RequestSpan(span))
  return report
}

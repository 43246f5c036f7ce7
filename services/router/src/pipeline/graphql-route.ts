/**
 * `{base path}/graphql`: one request from its first line to the last byte of its answer.
 *
 * The response's `close` event ends everything, however it came to it: the generation is let go, subgraph
 * calls that nobody waits for are given up, the request is logged.
 */
import { BrotliLine } from '../concerns/compression/brotli-line.ts'
import { StartQueue } from '../fairness/start-queue.ts'
import { HttpError } from '../errors/http-error.ts'
import type { GraphQLRoute } from '../http/handler.ts'
import { JSON_TYPE, negotiate } from '../http/negotiate.ts'
import { acceptsEventStream } from '../subscriptions/sessions/event-form.ts'
import { Answers } from './answers/answers.ts'
import { checkTraffic, shedLoad } from './stages/check-traffic.ts'
import { DeferProbe } from './stages/defer-probe.ts'
import { type ArrivalParts, arrivalsAt } from './arrivals.ts'
import { drive } from './drive.ts'
import { type PipelineParts, stagesOf } from './stages.ts'
import { visitorParts } from './visitor-parts.ts'

/** The parts that the endpoint is made from. */
export type GraphQLRouteOptions = ArrivalParts &
  Omit<PipelineParts, 'answers' | 'brotli' | 'probe' | 'starts' | 'batching' | 'visitors' | 'areVisitorsTold'>

/** The route of the endpoint; all its requests share `options`. */
export function createGraphQLRoute(options: GraphQLRouteOptions): GraphQLRoute {
  const { config, traffic, unanswered } = options
  const answers = new Answers(config, traffic, options.client.propagation.handedOn)
  const probe = new DeferProbe(config, answers, options.streams)
  const starts = new StartQueue(() => unanswered.bytes)
  const brotli = new BrotliLine()
  const parts = { ...options, answers, brotli, probe, starts, ...visitorParts(config, answers.headers) }
  const alone = createRoute(options, { ...parts, batching: null })
  const { enabled, maxOperations } = config.batching
  if (!enabled) return alone
  return createRoute(options, { ...parts, batching: { maxOperations, alone } })
}

function createRoute(options: GraphQLRouteOptions, parts: PipelineParts): GraphQLRoute {
  const { answers } = parts
  const arrive = arrivalsAt(options)
  const stages = stagesOf(parts)
  const servesEvents = parts.subscriptions !== null
  return (request, response, search) => {
    const isServed = request.method === 'POST' || request.method === 'GET'
    const { accept } = request.headers
    const type = isServed ? negotiate(accept) : JSON_TYPE
    const answersByEvents = type === null && servesEvents && acceptsEventStream(accept)
    const arrived = arrive({
      request,
      response,
      type: answersByEvents ? JSON_TYPE : type,
      answersByEvents,
      search,
    })
    const { exchange } = arrived
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
    drive(stages, arrived).catch((error: unknown) => answers.refuse(exchange, error))
  }
}

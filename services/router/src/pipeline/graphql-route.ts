/**
 * `{base path}/graphql`: one request from its first line to the last byte of its answer.
 *
 * The response's `close` event ends everything, however it came to it: the generation is let go, subgraph calls that
 * nobody waits for are given up, the request is logged.
 */
import { executionWork } from '@switchyard/engine'
import { clientOf } from '../clients/client.ts'
import { HttpError } from '../errors/http-error.ts'
import type { RequestEvents } from '../observe/request-events.ts'
import { DeferProbe } from './defer-probe.ts'
import type { RequestSpans } from '../observe/request-spans.ts'
import { Answers } from './answers.ts'
import type { ByteShares } from '../clients/byte-shares.ts'
import { Exchange } from './exchange.ts'
import type { GraphQLRoute } from '../http/handler.ts'
import { negotiate } from '../http/negotiate.ts'
import { requestIds } from '../http/request-ids.ts'
import { checkTraffic } from './request-checks.ts'
import { type OperationOptions, serveOperation } from './serve-operation.ts'

export type GraphQLRouteOptions = Omit<OperationOptions, 'answers' | 'probe'> & {
  readonly spans: RequestSpans
  /** What requests hold that are not answered. */
  readonly unanswered: ByteShares
  readonly events: RequestEvents
}

export function createGraphQLRoute(options: GraphQLRouteOptions): GraphQLRoute {
  const { config, traffic, connections, events } = options
  const answers = new Answers(config, traffic, events)
  const requestId = requestIds(config.requestId)
  const probe = new DeferProbe(config, answers, options.streams)
  const operations = { ...options, answers, probe }
  return (request, response, search) => {
    // What is refused while draining does not prolong it.
    const visit = traffic.draining ? null : traffic.enter()
    const client = connections.clientOf(request)
    const exchange = new Exchange(
      request,
      response,
      options.spans(request),
      requestId(request.headers),
      client,
      visit,
      options.unanswered,
      executionWork(
        options.turns.of(() => clientOf(client, request.headers)),
        config.limits.executionSteps,
      ),
    )
    response.on('close', () => {
      visit?.[Symbol.dispose]()
      exchange.close(events)
    })
    try {
      if (answers.preflight(exchange)) return
      if (request.method !== 'POST' && request.method !== 'GET') {
        throw new HttpError('METHOD_NOT_ALLOWED', 'GraphQL is served by POST and GET.', {
          Allow: answers.methods,
        })
      }
      exchange.type = negotiate(request.headers.accept)
      checkTraffic(options)
    } catch (error) {
      return answers.refuse(exchange, error)
    }
    serveOperation(exchange, search, operations).catch((error: unknown) => answers.refuse(exchange, error))
  }
}

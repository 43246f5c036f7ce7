/**
 * `{base path}/graphql`: one request from its first line to the last byte of its answer.
 *
 * The response's `close` event ends everything, however it came to it: the generation is let go, subgraph calls that
 * nobody waits for are given up, the request is logged.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SpanKind, type Tracer } from '@opentelemetry/api'
import {
  type Execution,
  execute,
  executeIncrementally,
  type ExecuteOptions,
  type ExecutionResult,
  PlanningError,
  RequestError,
} from '@switchyard/engine'
import type { RouterConfig } from '../config.ts'
import { HttpError } from '../errors.ts'
import type { RouterEvents } from '../events.ts'
import { FLAG_HEADER, requestedFlag } from '../flags/requested-flag.ts'
import type { Admission, Generations } from '../generations/generations.ts'
import { deferRefusal } from '../incremental/defer-refusal.ts'
import { IncrementalResponse } from '../incremental/incremental-response.ts'
import { MultipartStream } from '../incremental/multipart-stream.ts'
import type { OpenStreams } from '../incremental/open-streams.ts'
import { usesDefer } from '../incremental/uses-defer.ts'
import type { OverrideLabels } from '../planning/override-labels.ts'
import { SubgraphClient, type SubgraphClientOptions } from '../subgraph/subgraph-client.ts'
import { ActiveSpan, traceParent } from '../tracing/spans.ts'
import { createCors } from './cors.ts'
import { Exchange } from './exchange.ts'
import { type GraphQLParams, paramsOfBody, paramsOfSearch } from './graphql-params.ts'
import { GRAPHQL_RESPONSE, JSON_TYPE, negotiate } from './negotiate.ts'
import { ClientGoneError, readBody } from './read-body.ts'
import { errorBody, sendJson } from './reply.ts'
import { checkBodyType, checkCsrf } from './request-checks.ts'
import type { Traffic } from './traffic.ts'

export type GraphQLRouteOptions = {
  readonly config: RouterConfig
  readonly generations: Generations
  readonly overrideLabels: OverrideLabels
  readonly client: SubgraphClientOptions
  readonly traffic: Traffic
  readonly streams: OpenStreams
  readonly tracer: Tracer
  readonly events: RouterEvents
  /** Why nothing is served, while nothing is. */
  readonly waitingFor: () => string
}

export type GraphQLRoute = (request: IncomingMessage, response: ServerResponse, search: string) => void

export function createGraphQLRoute(options: GraphQLRouteOptions): GraphQLRoute {
  const { config, generations, traffic, tracer, events } = options
  const cors = createCors(config.cors)
  const vary = [
    'Accept',
    FLAG_HEADER,
    ...(config.flags.cookie ? ['Cookie'] : []),
    ...(cors.enabled ? ['Origin'] : []),
  ]
  const commonHeaders = { 'Cache-Control': config.cacheControl, Vary: vary.join(', ') }
  const allowed = cors.enabled ? 'GET, POST, OPTIONS' : 'GET, POST'

  /** What goes with every answer of this request. */
  const headersFor = (exchange: Exchange): Record<string, string> => ({
    ...commonHeaders,
    ...(exchange.admission?.flag == null ? {} : { [FLAG_HEADER]: exchange.admission.flag }),
    ...(cors.enabled ? cors.answerHeaders(exchange.request.headers) : {}),
    ...(traffic.draining && exchange.request.httpVersionMajor === 1 ? { Connection: 'close' } : {}),
  })

  const reply = (
    exchange: Exchange,
    status: number,
    body: string,
    extra: Record<string, string> = {},
  ): void => {
    exchange.status = status
    sendJson(
      exchange.response,
      status,
      exchange.type ?? JSON_TYPE,
      { ...headersFor(exchange), ...extra },
      body,
    )
  }

  const refuse = (exchange: Exchange, error: unknown): void => {
    if (error instanceof ClientGoneError || exchange.response.destroyed) return
    // A body that nobody reads any more is let run out, so that the client gets to read the answer.
    exchange.request.resume()
    if (error instanceof HttpError) {
      exchange.fail(error.code, 1)
      return reply(exchange, error.status, errorBody(error.code, error.message), error.headers)
    }
    if (error instanceof RequestError) {
      if (exchange.type === null) return refuse(exchange, notAcceptable())
      exchange.fail(error.code, error.errors.length)
      const status =
        error.code === 'OPERATION_LIMIT_EXCEEDED' || exchange.type === GRAPHQL_RESPONSE ? 400 : 200
      return reply(exchange, status, JSON.stringify({ errors: error.errors }))
    }
    if (error instanceof PlanningError) {
      exchange.fail(error.code, 1)
      return reply(exchange, 400, errorBody(error.code, error.message))
    }
    events.requestFailed(error, exchange.span.traceId)
    exchange.fail('INTERNAL_SERVER_ERROR', 1)
    reply(exchange, 500, errorBody('INTERNAL_SERVER_ERROR', 'The router failed to handle this request.'))
  }

  const paramsOf = async ({ request }: Exchange, search: string): Promise<GraphQLParams> => {
    if (request.method === 'POST') {
      checkBodyType(request.headers)
      return paramsOfBody(await readBody(request, config.limits.bodySize))
    }
    checkCsrf(request.headers)
    return paramsOfSearch(new URLSearchParams(search))
  }

  const checkTraffic = (): void => {
    if (traffic.draining) throw draining()
    if (generations.serving === null) {
      throw new HttpError('NOT_READY', `The router serves no graph yet: ${options.waitingFor()}.`, RETRY)
    }
    if (traffic.overloaded) {
      throw new HttpError('OVERLOADED', 'Too many requests are in progress. Try again in a moment.', RETRY)
    }
  }

  const serve = async (exchange: Exchange, search: string): Promise<void> => {
    const { request } = exchange
    const params = await paramsOf(exchange, search)
    exchange.requested = requestedFlag(request.headers, config.flags.cookie)
    const admitted = generations.admit(exchange.requested)
    const admission = admitted instanceof Promise ? await admitted : admitted
    if (admission === null) return checkTraffic()
    if (!exchange.hold(admission)) return

    const entry = admission.generation.operations.get(params.query, params.operationName)
    const { operation } = entry
    exchange.operation = operation.name
    if (operation.kind === 'mutation' && request.method === 'GET') {
      throw new HttpError('METHOD_NOT_ALLOWED', 'A mutation cannot be sent by GET: use POST.', {
        Allow: 'POST',
      })
    }
    const variables = operation.coerceVariables(
      operation.takesExactNumbers ? params.exactVariables() : params.variables,
    )
    const labels = options.overrideLabels.activeOf(operation.overrideLabels)
    const planned = admission.generation.planner.plan(entry, variables, labels, 'request')
    const plan = planned instanceof Promise ? await exchange.waitForPlan(planned) : planned
    // The client may have left while a thread planned: nobody holds the generation any more.
    if (exchange.closed) return
    if (plan.introspection !== null && !config.introspection) {
      exchange.fail('INTROSPECTION_DISABLED', 1)
      const body = errorBody('INTROSPECTION_DISABLED', 'Introspection is switched off on this router.')
      return reply(exchange, exchange.type === GRAPHQL_RESPONSE ? 400 : 200, body)
    }
    if (plan.deferred) {
      const refusal = deferRefusal(request.headers.accept)
      if (refusal !== null) {
        exchange.type = JSON_TYPE
        exchange.fail(refusal.code, 1)
        const body = errorBody(refusal.code, refusal.message)
        return reply(exchange, 200, body, { 'Cache-Control': 'no-store' })
      }
      // Fragments that are not deferred this time do not make a client's Accept wrong.
    } else if (exchange.type === null && !(entry.mayDefer && usesDefer(operation.document))) {
      throw notAcceptable()
    }

    const client = new SubgraphClient(
      options.client,
      admission.generation.endpoints,
      request.headers,
      exchange.span,
    )
    const run = plan.deferred ? stream : answerAtOnce
    const execution = run(exchange, admission, { plan, variables, fetch: client.fetch })
    exchange.cancel = () => {
      execution.abort()
      client.cancel()
    }
  }

  const answerAtOnce: Run = (exchange, { generation }, execution) => {
    const answer = ({ data, errors }: ExecutionResult): void => {
      exchange.finished = true
      exchange.errors = errors.length
      reply(exchange, 200, JSON.stringify(errors.length === 0 ? { data } : { errors, data }))
    }
    const onDefect = (error: unknown, isOver: boolean): void => {
      if (isOver) refuse(exchange, error)
      else events.requestFailed(error, exchange.span.traceId)
    }
    return execute(generation.graph, { ...execution, onDefect }, answer)
  }

  const stream: Run = (exchange, { generation }, execution) => {
    const { response } = exchange
    const parts = new MultipartStream(response, headersFor(exchange), {
      pause: () => running.pause(),
      resume: () => running.resume(),
    })
    const incremental = new IncrementalResponse(parts, (errors, isLast) => {
      exchange.status = 200
      exchange.partSent(errors, isLast)
    })
    const giveUp = (code: string, message: string): boolean => {
      exchange.cancel?.()
      if (!incremental.giveUp(code, message)) return false
      exchange.fail(code, exchange.errors)
      return true
    }
    const onDefect = (error: unknown, isOver: boolean): void => {
      if (isOver && !giveUp('INTERNAL_SERVER_ERROR', 'The router failed to deliver this fragment.'))
        return refuse(exchange, error)
      events.requestFailed(error, exchange.span.traceId)
    }
    const open = options.streams.add(() => {
      const { code, message } = draining()
      if (!giveUp(code, message)) refuse(exchange, draining())
    })
    response.once('close', () => open[Symbol.dispose]())
    const running = executeIncrementally(generation.graph, { ...execution, onDefect }, incremental)
    return running
  }

  return (request, response, search) => {
    const { headers } = request
    const span = new ActiveSpan(
      tracer,
      'graphql request',
      SpanKind.SERVER,
      traceParent(headers.traceparent, headers['tracestate']),
      { 'http.request.method': request.method ?? '' },
    )
    const exchange = new Exchange(request, response, span)
    // What is refused while draining does not prolong it.
    const entered = traffic.draining ? null : traffic.enter()
    response.on('close', () => {
      entered?.[Symbol.dispose]()
      exchange.close(events)
    })
    try {
      if (request.method === 'OPTIONS' && cors.enabled) {
        request.resume()
        exchange.status = 204
        response.writeHead(204, { Vary: commonHeaders.Vary, ...cors.preflightHeaders(headers) }).end()
        return
      }
      if (request.method !== 'POST' && request.method !== 'GET') {
        throw new HttpError('METHOD_NOT_ALLOWED', 'GraphQL is served by POST and GET.', { Allow: allowed })
      }
      exchange.type = negotiate(headers.accept)
      checkTraffic()
    } catch (error) {
      return refuse(exchange, error)
    }
    serve(exchange, search).catch((error: unknown) => refuse(exchange, error))
  }
}

/** Executes a plan and answers with what comes of it. */
type Run = (
  exchange: Exchange,
  admission: Admission,
  execution: Pick<ExecuteOptions, 'plan' | 'variables' | 'fetch'>,
) => Execution

const RETRY = { 'Retry-After': '1' }

function draining(): HttpError {
  return new HttpError('DRAINING', 'This router is stopping. Try again: another one will answer.', RETRY)
}

function notAcceptable(): HttpError {
  return new HttpError(
    'NOT_ACCEPTABLE',
    'The Accept header names no type this router answers with. Accept application/graphql-response+json or application/json.',
  )
}

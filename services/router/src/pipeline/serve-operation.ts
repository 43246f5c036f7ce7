/**
 * The way of an operation: read, admitted to a composition, planned, answered in the form that suits its client. A step that
 * refuses it throws, and nothing was executed then.
 */
import { type ExecuteOptions, executeIncrementally, type Plan, type Turns } from '@switchyard/engine'
import { type Asker, clientOf } from '../clients/client.ts'
import type { RouterConfig } from '../config/router-config.ts'
import { HttpError } from '../errors/http-error.ts'
import { requestedFlag } from '../flags/requested-flag.ts'
import type { Admission, Generations } from '../generations/generations.ts'
import { answerInParts } from './answer-in-parts.ts'
import { deferRefusal } from '../incremental/defer-refusal.ts'
import type { OpenStreams } from '../incremental/open-streams.ts'
import { usesDefer } from '../incremental/uses-defer.ts'
import type { CachedOperation } from '../operation/operation-cache.ts'
import type { OverrideLabels } from '../planning/override-labels.ts'
import type { DeferProbe } from './defer-probe.ts'
import { SubgraphClient, type SubgraphClientOptions } from '../subgraph/subgraph-client.ts'
import type { Tracing } from '../tracing/recorder/tracing.ts'
import { answerAtOnce } from './answer-at-once.ts'
import { type Answers, notAcceptable } from './answers.ts'
import { checkCsrf } from '../http/check-csrf.ts'
import type { Connections } from '../http/connections.ts'
import type { Exchange } from './exchange.ts'
import { type GraphQLParams, paramsOfBodyInTurns, paramsOfSearch } from './graphql-params.ts'
import { readBody } from './read-body.ts'
import { beginProgress, checkBodyType, checkTraffic } from './request-checks.ts'
import type { Traffic } from '../http/traffic.ts'
import type { TurnQueue } from '../clients/turn-queue.ts'
import type { UnreadRequests } from '../http/unread-requests.ts'

export type OperationOptions = {
  readonly config: RouterConfig
  readonly generations: Generations
  readonly overrideLabels: OverrideLabels
  readonly client: SubgraphClientOptions
  readonly traffic: Traffic
  readonly unread: UnreadRequests
  readonly connections: Connections
  readonly streams: OpenStreams
  readonly answers: Answers
  readonly probe: DeferProbe
  readonly tracing: Tracing
  /** For long work of requests. */
  readonly turns: TurnQueue
  /** Why nothing is served, while nothing is. */
  readonly waitingFor: () => string
}

export async function serveOperation(
  exchange: Exchange,
  search: string,
  options: OperationOptions,
): Promise<void> {
  const { config, generations, tracing } = options
  const asker: Asker = () => clientOf(exchange.client, exchange.request.headers)
  const turns = options.turns.of(asker)
  const params = await readParams(exchange, search, turns, options)
  if (options.probe.answer(exchange, params.operationName)) return
  exchange.phases.enter('choose')
  exchange.requested = requestedFlag(exchange.request.headers, config.flags.cookie)
  const admitted = generations.admit(exchange.requested)
  const admission = admitted instanceof Promise ? await admitted : admitted
  if (admission === null) return checkTraffic(options)
  if (!exchange.hold(admission)) return
  const verdict = tracing.admit(exchange, search, admission)
  tracing.follow(verdict instanceof Promise ? await verdict : verdict, exchange, params, admission, turns)
  // The client may have left while its token was checked.
  if (exchange.closed) return

  exchange.phases.enter('prepare')
  const recorder = exchange.trace?.recorder ?? null
  // What is prepared for the first time takes some milliseconds in one go.
  const isKnown = admission.generation.operations.has(params.query, params.operationName)
  const turn = isKnown ? undefined : turns.begin()
  if (turn !== undefined) await turn
  if (exchange.closed) return
  const entry = operationOf(params, exchange, admission)
  const coerced = variablesOf(params, entry, turns)
  const variables = coerced instanceof Promise ? await coerced : coerced
  if (exchange.closed) return
  exchange.phases.enter('plan')
  recorder?.phases.begin('planner')
  const labels = options.overrideLabels.activeOf(entry.operation.overrideLabels)
  const planned = admission.generation.planner.plan(entry, variables, labels, asker)
  const plan = planned instanceof Promise ? await exchange.waitForPlan(planned) : planned
  recorder?.planned(plan, admission.generation)
  // The client may have left while a thread planned: nobody holds the generation any more.
  if (exchange.closed || !mayRun(plan, entry, exchange, options)) return
  exchange.phases.enter('execute')
  const introspection =
    plan.introspection === null
      ? null
      : await admission.generation.introspections.answer(plan.introspection, variables, asker)
  if (exchange.closed) return
  run({ plan, variables, introspection }, exchange, admission, options)
}

async function readParams(
  exchange: Exchange,
  search: string,
  turns: Turns,
  options: OperationOptions,
): Promise<GraphQLParams> {
  const { request } = exchange
  const { config, connections } = options
  const { limits, csrf } = config
  if (request.method === 'POST') {
    checkBodyType(request.headers)
    const text = await readBody(exchange, limits.bodySize, options.unread)
    exchange.onGiveWay = (error) => options.answers.refuse(exchange, error)
    beginProgress(exchange, connections)
    return await paramsOfBodyInTurns(text, turns, limits.variableValues)
  }
  exchange.onGiveWay = (error) => options.answers.refuse(exchange, error)
  checkCsrf(request.headers, csrf)
  beginProgress(exchange, connections)
  return paramsOfSearch(new URLSearchParams(search))
}

function operationOf(params: GraphQLParams, exchange: Exchange, { generation }: Admission): CachedOperation {
  const recorder = exchange.trace?.recorder
  recorder?.phases.begin('parse')
  const entry = generation.operations.get(params.query, params.operationName, recorder?.onStep)
  // One that is known passes the steps that it has behind it, and its variables are still to be checked.
  recorder?.phases.begin('validate')
  exchange.operation = entry.operation.name
  exchange.operationType = entry.operation.kind
  if (entry.operation.kind === 'mutation' && exchange.request.method === 'GET') {
    throw new HttpError('METHOD_NOT_ALLOWED', 'A mutation cannot be sent by GET: use POST.', {
      Allow: 'POST',
    })
  }
  return entry
}

/** A promise where there is much to do. */
function variablesOf(params: GraphQLParams, { operation }: CachedOperation, turns: Turns) {
  if (!operation.takesExactNumbers) return operation.coerceVariablesInTurns(params.variables, turns)
  const exact = params.exactVariables(turns)
  return exact instanceof Promise
    ? exact.then((raw) => operation.coerceVariablesInTurns(raw, turns))
    : operation.coerceVariablesInTurns(exact, turns)
}

/** false: answered with why not. */
function mayRun(
  plan: Plan,
  { operation, mayDefer }: CachedOperation,
  exchange: Exchange,
  { config, answers }: OperationOptions,
): boolean {
  if (plan.introspection !== null && !config.introspection) {
    const message = 'Introspection is switched off on this router.'
    answers.refuseByType(exchange, 'INTROSPECTION_DISABLED', message)
    return false
  }
  if (plan.deferred) {
    const refusal = deferRefusal(exchange.request.headers.accept)
    if (refusal === null) return true
    answers.refuseStream(exchange, refusal.code, refusal.message)
    return false
  }
  // Fragments that are not deferred this time do not make a client's Accept wrong.
  if (exchange.type === null && !(mayDefer && usesDefer(operation.document))) throw notAcceptable()
  return true
}

function run(
  what: Pick<ExecuteOptions, 'plan' | 'variables' | 'introspection'>,
  exchange: Exchange,
  { generation }: Admission,
  { client: clientOptions, answers, streams, config }: OperationOptions,
): void {
  const { headers } = exchange.request
  const recorder = exchange.trace?.recorder ?? null
  const { endpoints } = generation
  const { span, requestId, work } = exchange
  const client = new SubgraphClient(clientOptions, {
    endpoints,
    headers,
    span,
    plan: what.plan,
    requestId,
    recorder,
    work,
    size: exchange,
  })
  const { fetch } = client
  const execution = { ...what, fetch, work, ...(recorder === null ? {} : { recorder }) }
  const whole = { exchange, graph: generation.graph, execution }
  const pendingPer = config.deferPending
  const running = what.plan.deferred
    ? answerInParts(exchange, answers, { streams, pendingPer }, (listener, onDefect) =>
        executeIncrementally(whole.graph, { ...whole.execution, onDefect, pendingPer }, listener),
      )
    : answerAtOnce(whole, answers)
  exchange.cancel = () => {
    running.abort()
    client.cancel()
  }
}

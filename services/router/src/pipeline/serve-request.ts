/**
 * The way of a request through the stages: read, choose composition, prepare, plan, run. Each stage returns
 * what the next one needs; one that refuses the request throws, and nothing was executed then. Most stages
 * are done at once, and only those that are not are waited for. After each wait the client may have left.
 */
import type { Authentication } from '../authentication/authentication.ts'
import type { ClientLookup } from '../clients/client.ts'
import type { TurnQueue } from '../clients/turn-queue.ts'
import { requestedFlag } from '../flags/requested-flag.ts'
import type { RateLimits } from '../rates/rate-limits.ts'
import type { Tracing } from '../tracing/recorder/tracing.ts'
import { authenticate } from './stages/authenticate.ts'
import { answerBatch } from './batch/answer-batch.ts'
import { beginTrace } from './stages/begin-trace.ts'
import { checkCost } from './stages/check-cost.ts'
import { checkTraffic, type TrafficParts } from './stages/check-traffic.ts'
import { chooseComposition, type ChoosingParts } from './stages/choose-composition.ts'
import type { DeferProbe } from './stages/defer-probe.ts'
import type { Exchange } from '../request/exchange.ts'
import type { JoiningParts } from './stages/join-run.ts'
import { chargeCost, limitRate } from './stages/limit-rate.ts'
import { mayRun, planOperation, type PlanningParts } from './stages/plan-operation.ts'
import {
  coerceVariables,
  knownOperation,
  prepareOperation,
  type PreparingParts,
} from './stages/prepare-operation.ts'
import { readRequest, type ReadingParts } from './stages/read-request.ts'
import { resolveDocument, type ResolvingParts } from './stages/resolve-document.ts'
import { runPlan, type RunningParts } from './stages/run-plan.ts'

/** The parts that the stages work with, which are the same for all requests. */
export type PipelineParts = TrafficParts &
  ReadingParts &
  ChoosingParts &
  JoiningParts &
  PlanningParts &
  PreparingParts &
  ResolvingParts &
  RunningParts & {
    /** Limits the rate of requests; null if there are no rate limits. */
    readonly rates: RateLimits | null
    readonly probe: DeferProbe
    readonly tracing: Tracing
    /** Verifies tokens; null if the router takes none. */
    readonly authentication: Authentication | null
    /** Turns of the event loop for long work of requests. */
    readonly turns: TurnQueue
  }

/** Serves a request, stage by stage. Rejects with the reason why the request is refused or failed. */
export async function serveRequest(exchange: Exchange, search: string, parts: PipelineParts): Promise<void> {
  const { authentication, tracing } = parts
  const { report } = exchange
  const { headers } = exchange.request
  const lookUpClient: ClientLookup = () => exchange.countedClient
  const turns = parts.turns.of(lookUpClient)
  if (authentication !== null) {
    const verifying = authenticate(exchange, lookUpClient, authentication)
    if (verifying !== undefined) await report.waitFor('token', verifying)
    if (exchange.closed) return
  }
  if (parts.rates !== null) {
    const counting = limitRate(exchange, parts.rates)
    if (counting !== undefined) await report.waitFor('rate-limits', counting)
    if (exchange.closed) return
  }
  const flag = requestedFlag(headers, parts.config.flags.cookie)
  const list = parts.documents?.listOf(exchange.named.name) ?? null
  const read = readRequest(exchange, { search, flag, list }, { lookUpClient, turns }, parts)
  const request = read instanceof Promise ? await read : read
  if (request === null) return
  if ('list' in request) return answerBatch(exchange, request.list, search, { ...parts, ...request })
  if (parts.probe.answer(exchange, request.params.operationName)) return

  const found = resolveDocument(exchange, request.params, list, parts, turns)
  const params = found instanceof Promise ? await report.waitFor('document', found) : found
  if (exchange.closed) return

  const admitted = chooseComposition(exchange, flag, parts)
  const held = admitted instanceof Promise ? await report.waitFor('flag', admitted) : admitted
  if (held === null) return checkTraffic(parts)
  if (!exchange.hold(held)) return
  const { generation } = held
  const verdict = tracing.admit(headers, search, held)
  const judged = verdict instanceof Promise ? await verdict : verdict
  beginTrace(exchange, judged, params, held, { tracing, turns })
  if (exchange.closed) return

  exchange.report.enter('prepare')
  const known = knownOperation(params, held, parts)
  const turn = known === null ? turns.begin() : undefined
  if (turn !== undefined) await report.waitFor('turn', turn)
  if (exchange.closed) return
  const prepared = prepareOperation(exchange, params, held, known, parts)
  const coerced = coerceVariables(params, prepared, turns)
  const variables = coerced instanceof Promise ? await report.waitFor('turn', coerced) : coerced
  if (exchange.closed) return

  const planned = planOperation(exchange, prepared, variables, held, lookUpClient, parts)
  const plan = planned instanceof Promise ? await planned : planned
  exchange.report.planned(plan, parts.served.of(generation))
  if (exchange.closed || !mayRun(exchange, plan, prepared, parts)) return
  if (parts.costs !== null) {
    checkCost(exchange, plan, variables, held, parts.costs)
    const charging = parts.rates === null ? undefined : chargeCost(exchange, parts.rates)
    if (charging !== undefined) await report.waitFor('rate-limits', charging)
    if (exchange.closed) return
  }

  exchange.report.enter('execute')
  const introspection =
    plan.introspection === null
      ? null
      : await generation.introspections.answer(plan.introspection, variables, lookUpClient)
  if (exchange.closed) return
  const { name: operation, accessConditions } = prepared.operation
  const dependsOnIdentity = accessConditions.length > 0
  runPlan(
    exchange,
    { plan, variables, introspection },
    { generation, key: request.key, operation, dependsOnIdentity, denied: plan.denied.length },
    parts,
  )
}

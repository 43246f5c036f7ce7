/**
 * The stages of a request, in their order. Each adds what the next ones need; one that refuses the request
 * throws, and nothing was executed then. A stage that the settings switch off is not in the list.
 */
import type { Authentication } from '../concerns/authentication/authentication.ts'
import type { RateLimits } from '../concerns/rates/rate-limits.ts'
import type { Arrived } from '../request/arrived.ts'
import type { Tracing } from '../tracing/recorder/tracing.ts'
import { answerBatch, type Batching } from '../concerns/batching/stage.ts'
import { answerIntrospection } from '../concerns/introspection/stage.ts'
import { authenticate } from '../concerns/authentication/stage.ts'
import { beginTrace } from '../tracing/recorder/begin-trace.ts'
import { checkCost } from '../concerns/costs/stage.ts'
import type { TrafficParts } from './stages/check-traffic.ts'
import { decideFlag, type DecidingParts } from '../concerns/rollouts/stage.ts'
import { chooseComposition } from './stages/choose-composition.ts'
import { coerceVariables, type CoercingParts } from './stages/coerce-variables.ts'
import { answerProbe, type DeferProbe } from './stages/defer-probe.ts'
import { findStandIn } from './stages/find-stand-in.ts'
import { joinRun, type JoiningParts, waitToStart } from './stages/join-run.ts'
import { chargeCost, limitRate } from '../concerns/rates/stages.ts'
import { parseRequest } from './stages/parse-request.ts'
import { checkPlan, planOperation, type PlanningParts } from './stages/plan-operation.ts'
import { checkEvents } from './stages/check-events.ts'
import { findOperation, prepareOperation, type PreparingParts } from './stages/prepare-operation.ts'
import { readTextOrForm } from './stages/files/read-form.ts'
import { routeFiles } from './stages/files/route-files.ts'
import { readText, type ReadingParts } from './stages/read-text.ts'
import { resolveDocument, type ResolvingParts } from '../concerns/documents/stage.ts'
import { runPlan, type RunningParts } from './stages/run-plan.ts'
import { subscribe } from './stages/subscribe.ts'
import type { SubscribingParts } from './stages/subscribing-parts.ts'
import { type AnyStage, StageList } from '../request/stage.ts'

/** The parts that the stages work with, which are the same for all requests. */
export type PipelineParts = TrafficParts &
  ReadingParts &
  JoiningParts &
  PlanningParts &
  PreparingParts &
  ResolvingParts &
  RunningParts &
  DecidingParts &
  CoercingParts & {
    /** Limits the rate of requests; null if there are no rate limits. */
    readonly rates: RateLimits | null
    readonly probe: DeferProbe
    readonly tracing: Tracing
    /** Verifies tokens; null if the router takes none. */
    readonly authentication: Authentication | null
    /** Limits of batches; null if a request has exactly one operation. */
    readonly batching: Batching | null
    /** Serves subscriptions; null if they are refused. */
    readonly subscriptions: SubscribingParts['subscriptions'] | null
  }

/** Lists the stages of every request to a router. */
export function stagesOf(parts: PipelineParts): readonly AnyStage[] {
  const { config, answers, authentication, batching, costs, rates, subscriptions } = parts
  return new StageList<Arrived>()
    .check(authentication && authenticate(authentication))
    .check(rates && limitRate(rates))
    .add(findStandIn(parts))
    .add(decideFlag(parts))
    .add(config.uploads === null ? readText(parts) : readTextOrForm(parts, config.uploads))
    .check(batching && answerBatch(batching, answers))
    .add(joinRun(parts))
    .add(waitToStart(parts))
    .add(parseRequest(parts))
    .check(answerProbe(parts.probe))
    .add(resolveDocument(parts))
    .add(chooseComposition(parts))
    .add(beginTrace(parts.tracing))
    .add(findOperation(parts))
    .add(prepareOperation(parts))
    .add(coerceVariables(parts))
    .add(planOperation(parts))
    .check(checkPlan(parts))
    .check(checkEvents())
    .check(config.uploads && routeFiles())
    .check(costs && checkCost(costs))
    .check(costs && rates && chargeCost(rates))
    .add(answerIntrospection())
    .check(subscriptions && subscribe({ ...parts, subscriptions }))
    .check(runPlan(parts)).stages
}

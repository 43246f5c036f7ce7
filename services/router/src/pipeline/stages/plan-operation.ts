/** The fourth stage: which subgraphs are asked for what, and whether the client may have that. */
import type { Plan } from '@switchyard/engine'
import { authenticationRequired } from '../../authentication/refusals.ts'
import type { Authorizer } from '../../authorization/authorizer.ts'
import type { ClientLookup } from '../../clients/client.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { HeldGeneration } from '../../generations/generations.ts'
import { deferRefusal } from '../../incremental/defer-refusal.ts'
import { usesDefer } from '../../incremental/uses-defer.ts'
import { introspectionOf } from './introspection-of.ts'
import type { CachedOperation } from '../../operation/operation-cache.ts'
import type { OverrideLabels } from '../../planning/override-labels.ts'
import type { Answers } from '../answers/answers.ts'
import { notAcceptable } from '../answers/refusal-of.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { VariableValues } from './prepare-operation.ts'

/** The parts of planning that are the same for all requests. */
export type PlanningParts = {
  readonly overrideLabels: OverrideLabels
  readonly authorizer: Authorizer
}

/** Fields that a refusal names. */
const MAX_NAMED = 5

/** A promise only while a thread plans it. Throws, or rejects with, PlanningError and HttpError. */
export function planOperation(
  { report, identity }: Exchange,
  prepared: CachedOperation,
  variables: VariableValues,
  { generation }: HeldGeneration,
  lookUpClient: ClientLookup,
  { overrideLabels, authorizer }: PlanningParts,
): Plan | Promise<Plan> {
  report.enter('plan')
  report.stepBegan('planner')
  const labels = overrideLabels.activeOf(prepared.operation.overrideLabels)
  const granted = authorizer.granted(prepared.operation, identity)
  const planned = generation.planner.plan(prepared, variables, { labels, granted }, lookUpClient)
  return planned instanceof Promise ? report.waitForPlan(planned) : planned
}

/**
 * Decides whether the plan may be executed for the client. False if not, and the client was told why. Throws
 * HttpError.
 */
export function mayRun(
  exchange: Exchange,
  plan: Plan,
  { operation, mayDefer }: CachedOperation,
  { config, answers }: { readonly config: RouterConfig; readonly answers: Answers },
): boolean {
  if (plan.denied.length > 0 && config.authorization.rejectUnauthorized) throw unauthorized(plan.denied)
  if (plan.introspection !== null) {
    const access = introspectionOf(config, exchange.identity)
    if (access === 'locked') throw authenticationRequired('Introspection')
    if (access === 'off') {
      const message = 'Introspection is switched off on this router.'
      answers.refuseByType(exchange, 'INTROSPECTION_DISABLED', message)
      return false
    }
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

/** `denied`: coordinates, such as `Product.price`. They are of the schema that clients see. */
function unauthorized(denied: readonly string[]): HttpError {
  const named = denied.slice(0, MAX_NAMED).join(', ')
  const more = denied.length > MAX_NAMED ? ` and ${denied.length - MAX_NAMED} more` : ''
  return new HttpError(
    'UNAUTHORIZED_FIELD_OR_TYPE',
    `Not authorized to see ${named}${more}. Nothing of the operation was executed.`,
  )
}

/** Plans which subgraphs are asked for what, and decides whether the client may have that. */
import type { Plan } from '@switchyard/engine'
import { authenticationRequired } from '../../concerns/authentication/refusals.ts'
import type { Authorizer } from '../../concerns/authorization/authorizer.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { ServedParts } from '../../generations/served-parts.ts'
import { deferRefusal } from '../../incremental/defer-refusal.ts'
import { usesDefer } from '../../incremental/uses-defer.ts'
import { introspectionOf } from '../../concerns/introspection/introspection-of.ts'
import type { CachedOperation } from '../../operation/operation-cache.ts'
import type { ActiveLabels, OverrideLabels } from '../../concerns/override-labels/override-labels.ts'
import type { Answers } from '../answers/answers.ts'
import { notAcceptable } from '../../http/negotiate.ts'
import { OperationOfSocket, takesNoParts } from '../../request/event-sink.ts'
import type { Exchange } from '../../request/exchange.ts'
import { askingToChooseFor } from '../../request/request-property.ts'
import { DONE, type Stage } from '../../request/stage.ts'
import type { Coerced } from './coerce-variables.ts'

/** The parts of planning that are the same for all requests. */
export type PlanningParts = {
  readonly overrideLabels: OverrideLabels
  readonly authorizer: Authorizer
  readonly served: ServedParts
}

/** Fields that a refusal names. */
const MAX_NAMED = 5

type WithPlan = {
  readonly plan: Plan
  /** Whether the key of the request chose among plans: another user may get another answer. */
  readonly isSticky: boolean
}

/** A request whose plan is made. */
export type Planned = Coerced & WithPlan

/** A promise only while a thread plans it. Throws, or rejects with, PlanningError and HttpError. */
export function planOperation({
  overrideLabels,
  authorizer,
  served,
}: PlanningParts): Stage<Coerced, WithPlan> {
  const planned = ({ exchange, held }: Coerced, plan: Plan, { labels, isSticky }: ActiveLabels): WithPlan => {
    exchange.report.planned(plan, served.of(held.generation), labels)
    return { plan, isSticky }
  }
  return {
    waitsFor: null,
    run: (coerced) => {
      const { exchange, prepared, variables, held, lookUpClient } = coerced
      const { report, identity } = exchange
      report.enter('plan')
      report.stepBegan('planner')
      const { operation } = prepared
      const active = overrideLabels.activeOf(operation.overrideLabels, askingToChooseFor(exchange), held)
      const granted = authorizer.granted(operation, identity)
      const plan = held.generation.planner.plan(
        prepared,
        variables,
        { labels: active.labels, granted, isWhole: takesNoParts(exchange.request) },
        lookUpClient,
      )
      if (!(plan instanceof Promise)) return planned(coerced, plan, active)
      return report.waitForPlan(plan).then((late) => planned(coerced, late, active))
    },
  }
}

/** Decides whether the plan may be executed for the client. Throws HttpError if not, or tells the client. */
export function checkPlan(parts: CheckingParts): Stage<Planned> {
  return {
    waitsFor: null,
    run: ({ exchange, plan, prepared }) => (mayRun(exchange, plan, prepared, parts) ? undefined : DONE),
  }
}

type CheckingParts = { readonly config: RouterConfig; readonly answers: Answers }

/** Returns false if the plan may not be executed, and the client was told why. Throws HttpError. */
function mayRun(
  exchange: Exchange,
  plan: Plan,
  { operation, mayDefer }: CachedOperation,
  { config, answers }: CheckingParts,
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
    // A client that takes no parts has a plan without any.
    if (exchange.request instanceof OperationOfSocket) return true
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

/** The fourth stage: which subgraphs are asked for what, and whether the client may have that. */
import type { Plan } from '@switchyard/engine'
import type { ClientLookup } from '../clients/client.ts'
import type { RouterConfig } from '../config/router-config.ts'
import type { Admission } from '../generations/generations.ts'
import { deferRefusal } from '../incremental/defer-refusal.ts'
import { usesDefer } from '../incremental/uses-defer.ts'
import type { CachedOperation } from '../operation/operation-cache.ts'
import type { OverrideLabels } from '../planning/override-labels.ts'
import { type Answers, notAcceptable } from './answers.ts'
import type { Exchange } from './exchange.ts'
import type { VariableValues } from './prepare-operation.ts'

const NOTHING: ReadonlySet<number> = new Set()

/** A promise only while a thread plans it. Throws, or rejects with, PlanningError and HttpError. */
export function planOperation(
  { report }: Exchange,
  prepared: CachedOperation,
  variables: VariableValues,
  { generation }: Admission,
  { overrideLabels, asker }: { readonly overrideLabels: OverrideLabels; readonly asker: ClientLookup },
): Plan | Promise<Plan> {
  report.enter('plan')
  report.stepBegan('planner')
  const labels = overrideLabels.activeOf(prepared.operation.overrideLabels)
  // Whoever serves a composition with access rules has allowed that nobody enforces them.
  const { accessConditions } = prepared.operation
  const granted = accessConditions.length === 0 ? NOTHING : new Set(accessConditions)
  const planned = generation.planner.plan(prepared, variables, { labels, granted }, asker)
  return planned instanceof Promise ? report.waitForPlan(planned) : planned
}

/** false: the client may not have what is planned, and was answered with why not. Throws HttpError. */
export function mayRun(
  exchange: Exchange,
  plan: Plan,
  { operation, mayDefer }: CachedOperation,
  { config, answers }: { readonly config: RouterConfig; readonly answers: Answers },
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

/**
 * Moves a subscription to what is served now: its document, variables, cost and rights are judged anew, and
 * its next event is completed by the new composition. Its source stays open, so no event is lost. A
 * subscription whose source would be another one cannot be moved.
 */
import { PlanningError, RequestError } from '@switchyard/engine'
import { checkCost } from '../../concerns/costs/stage.ts'
import { decideAgain } from '../../concerns/rollouts/stage.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { HeldGeneration } from '../../generations/generations.ts'
import { type Stage, StageList } from '../../request/stage.ts'
import type { EndReason } from '../../subscriptions/events/subscription.ts'
import type { Identifying } from '../../subscriptions/tokens/token-check.ts'
import type { Chosen } from './choose-composition.ts'
import { coerceVariables } from './coerce-variables.ts'
import { movedTo, type Subscribed } from './complete-subscription.ts'
import type { SharingParts } from './completion-key.ts'
import { checkPlan, planOperation, type PlanningParts } from './plan-operation.ts'
import { prepareOperation } from './prepare-operation.ts'
import { eventsKeyOf, sourceOf } from './subscription-source.ts'
import type { SubscribingParts } from './subscribing-parts.ts'
import type { CachedOperation } from '../../operation/operation-cache.ts'

/** The parts that judge a subscription anew. */
export type MovingParts = SubscribingParts &
  PlanningParts &
  SharingParts & {
    /** Verifies tokens; null if the router takes none. */
    readonly authentication: Identifying | null
  }

/** Judges subscriptions anew by what is served. */
export type Rejudge = (subscribed: Subscribed, held: HeldGeneration) => Promise<Subscribed>

/** Makes the function for all subscriptions. It rejects with what the stages throw. */
export function rejudging(parts: MovingParts): Rejudge {
  const { costs } = parts
  const stages = new StageList<Chosen & { readonly known: CachedOperation | null }>()
    .add(prepareOperation(parts))
    .add(coerceVariables({ usage: null }))
    .add(planOperation(parts))
    .check(checkPlan(parts))
    .check(costs && checkCost(costs)).stages
  return async (subscribed, held) => {
    const judged = { ...subscribed, held, known: null }
    for (const stage of stages as readonly Stage<Subscribed, object | undefined>[])
      Object.assign(judged, await stage.run(judged))
    return movedTo(subscribed, judged)
  }
}

/** The composition that one subscription has at the moment. */
export class SubscriptionMoves {
  readonly #parts: MovingParts
  readonly #rejudge: Rejudge
  /** The events that it has (`eventsKeyOf`). */
  readonly #events: string | null
  #current: Subscribed
  #isMoving = false

  constructor(subscribed: Subscribed, events: string | null, parts: MovingParts, rejudge: Rejudge) {
    this.#current = subscribed
    this.#events = events
    this.#parts = parts
    this.#rejudge = rejudge
  }

  /** The subscription on what it was moved to last. */
  get current(): Subscribed {
    return this.#current
  }

  /**
   * Looks at what is served, and calls `onMoved` if the subscription goes on with something else. Returns the
   * reason if it cannot go on.
   */
  look(onMoved: () => void): EndReason | null | Promise<EndReason | null> {
    if (this.#isMoving) return null
    const { exchange, held } = this.#current
    const next = this.#parts.generations.hold(decideAgain(exchange, this.#parts))
    if (next === null) return null
    if (!(next instanceof Promise) && isSame(next, held)) {
      next.generation.release()
      return null
    }
    return this.#move(next, onMoved)
  }

  async #move(
    next: HeldGeneration | Promise<HeldGeneration>,
    onMoved: () => void,
  ): Promise<EndReason | null> {
    this.#isMoving = true
    try {
      return await this.#moveTo(await next, onMoved)
    } catch (error) {
      if (isRefusal(error)) return changed(error.message)
      this.#current.exchange.report.defect(error)
      return changed('The router failed to move it to what is served now.')
    } finally {
      this.#isMoving = false
    }
  }

  async #moveTo(next: HeldGeneration, onMoved: () => void): Promise<EndReason | null> {
    const { exchange, held } = this.#current
    if (isSame(next, held)) {
      next.generation.release()
      return null
    }
    let moved: Subscribed | null = null
    try {
      if (next.flag !== held.flag) return changed('Another composition answers its client now.')
      const judged = await this.#rejudge(this.#current, next)
      if (eventsKeyOf(sourceOf(judged, this.#parts)) !== this.#events)
        return changed('Its events come from elsewhere now.')
      moved = judged
    } finally {
      if (moved === null || exchange.closed) next.generation.release()
    }
    if (exchange.closed) return null
    exchange.moveTo(next)
    this.#current = moved
    this.#parts.subscriptions.metrics.moved()
    onMoved()
    return null
  }
}

/** A flag of a rollout that is not compiled yet changes nothing. */
function isSame(next: HeldGeneration, held: HeldGeneration): boolean {
  if (next.reason === 'rollout-not-ready') return true
  return next.flag === held.flag && next.generation === held.generation
}

function isRefusal(error: unknown): error is Error {
  return error instanceof RequestError || error instanceof PlanningError || error instanceof HttpError
}

function changed(why: string): EndReason {
  return { code: 'SUBSCRIPTION_SCHEMA_CHANGED', message: `The subscription cannot go on. ${why}` }
}

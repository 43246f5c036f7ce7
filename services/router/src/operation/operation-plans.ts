/**
 * The plans of one operation: one for each combination of its conditions, its override labels and what may be
 * seen of it that requests really use.
 */
import { type Operation, type Plan, PlanningError } from '@switchyard/engine'
import type { Client } from '../fairness/client.ts'
import { settled } from '../memory/settled-error.ts'
import { planSize } from './plan-size.ts'

const MAX_VARIANTS = 64

/** The properties of a request that decide about its plan. */
export type PlanVariant = {
  readonly key: string
  /** Values of the variables in `@skip`, `@include` and `@defer`. */
  readonly conditions: ReadonlyMap<string, unknown>
  /** Active override labels. */
  readonly labels: ReadonlySet<string>
  /** Numbers of the operation's access conditions that the request meets. */
  readonly granted: ReadonlySet<number>
  /** Nothing is deferred, although the operation may ask for it. */
  readonly isWhole: boolean
}

/** The properties of a request, besides its variables, that decide about its plan. */
export type PlanChoice = Pick<PlanVariant, 'labels' | 'granted'> & {
  /** The client takes its answer in one piece, so that `@defer` has no effect. The default is false. */
  readonly isWhole?: boolean
}

const NOTHING: ReadonlySet<number> = new Set()
const UNCONDITIONAL: PlanVariant = {
  key: '',
  conditions: new Map(),
  labels: new Set(),
  granted: NOTHING,
  isWhole: false,
}

/** Which of its plans answers an operation with these variables. */
export function planVariant(
  operation: Operation,
  variables: ReadonlyMap<string, unknown>,
  { labels, granted, isWhole: takesNoParts = false }: PlanChoice,
): PlanVariant {
  const { conditions: names, accessConditions } = operation
  // An operation that defers nothing has the same plan for all clients.
  const isWhole = takesNoParts && operation.hasDefers
  if (!isWhole && names.length === 0 && labels.size === 0 && accessConditions.length === 0)
    return UNCONDITIONAL
  let key = isWhole ? '=' : ''
  const conditions = new Map<string, unknown>()
  for (const number of accessConditions) key += granted.has(number) ? '+' : '!'
  for (const name of names) {
    const value = variables.get(name)
    // Absent is a value of its own: for `@defer` it means true.
    key += value === true ? '1' : value === false ? '0' : '-'
    conditions.set(name, value)
  }
  if (labels.size > 0) key += JSON.stringify([...labels].sort())
  return { key, conditions, labels, granted, isWhole }
}

/** A plan that is being made. */
export type PlanInMaking = {
  readonly plan: Promise<Plan>
  /** One more client waits for it. */
  readonly join: (client: Client) => void
}

type KeptPlan = { readonly variant: PlanVariant; readonly plan: Plan | PlanningError; readonly size: number }

const REFUSAL_SIZE = 1000

/** Keeps the plans of one operation, and those that are being made. */
export class OperationPlans {
  readonly #onSizeChanged: () => void
  /**
   * Plans in the order of last use. The error of a variant that can never be planned is remembered like a
   * plan.
   */
  readonly #made = new Map<string, KeptPlan>()
  readonly #making = new Map<string, PlanInMaking>()
  #size = 0
  /** Planning took too long for the serving thread once: it is not tried there again. */
  long = false

  constructor(onSizeChanged: () => void) {
    this.#onSizeChanged = onSizeChanged
  }

  /**
   * Returns the plan, or null if this variant was not planned yet. Throws the PlanningError of a variant that
   * cannot be planned.
   */
  get({ key }: PlanVariant): Plan | null {
    const made = this.#made.get(key)
    if (made === undefined) return null
    if (this.#made.size > 1) {
      this.#made.delete(key)
      this.#made.set(key, made)
    }
    if (made.plan instanceof PlanningError) throw made.plan
    return made.plan
  }

  keep(variant: PlanVariant, plan: Plan | PlanningError): void {
    this.#forget(variant.key)
    const size = plan instanceof PlanningError ? REFUSAL_SIZE : planSize(plan)
    const kept = plan instanceof PlanningError ? settled(plan) : plan
    this.#made.set(variant.key, { variant, plan: kept, size })
    this.#size += size
    const [oldest] = this.#made.keys()
    if (this.#made.size > MAX_VARIANTS && oldest !== undefined) this.#forget(oldest)
    this.#onSizeChanged()
  }

  /** Returns the plan of this variant that is being made, or null. */
  inMaking({ key }: PlanVariant): PlanInMaking | null {
    return this.#making.get(key) ?? null
  }

  /** Everybody who asks for this variant until the promise is settled waits for it. */
  wait({ key }: PlanVariant, { plan, join }: PlanInMaking): Promise<Plan> {
    const shared = plan.finally(() => this.#making.delete(key))
    this.#making.set(key, { plan: shared, join })
    return shared
  }

  get count(): number {
    return this.#made.size
  }

  /** The variant used last that has a plan. */
  get latest(): PlanVariant | null {
    let latest: PlanVariant | null = null
    for (const { plan, variant } of this.#made.values())
      if (!(plan instanceof PlanningError)) latest = variant
    return latest
  }

  /** Bytes, roughly. */
  get size(): number {
    return this.#size
  }

  #forget(key: string): void {
    this.#size -= this.#made.get(key)?.size ?? 0
    this.#made.delete(key)
  }
}

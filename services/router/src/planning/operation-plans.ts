/** The plans of one operation: one for each combination of its conditions and override labels that requests really use. */
import { type Operation, type Plan, PlanningError } from '@switchyard/engine'

const MAX_VARIANTS = 64

/** What of a request decides about its plan. */
export type PlanVariant = {
  readonly key: string
  /** Values of the variables in `@skip` and `@include`. */
  readonly conditions: ReadonlyMap<string, unknown>
  /** Active override labels. */
  readonly labels: ReadonlySet<string>
}

export function planVariant(
  operation: Operation,
  variables: ReadonlyMap<string, unknown>,
  labels: ReadonlySet<string>,
): PlanVariant {
  let key = ''
  const conditions = new Map<string, unknown>()
  for (const name of operation.conditions) {
    const value = variables.get(name)
    key += value === true ? '1' : '0'
    conditions.set(name, value)
  }
  if (labels.size > 0) key += JSON.stringify([...labels].sort())
  return { key, conditions, labels }
}

export class OperationPlans {
  /** In the order of last use. What can never be planned is remembered like a plan. */
  readonly #made = new Map<string, Plan | PlanningError>()
  readonly #making = new Map<string, Promise<Plan>>()
  /** Planning took too long for the serving thread once: it is not tried there again. */
  long = false

  /** A promise while it is being planned. Throws PlanningError for what cannot be planned. */
  get({ key }: PlanVariant): Plan | Promise<Plan> | null {
    const made = this.#made.get(key)
    if (made === undefined) return this.#making.get(key) ?? null
    this.#made.delete(key)
    this.#made.set(key, made)
    if (made instanceof PlanningError) throw made
    return made
  }

  keep({ key }: PlanVariant, made: Plan | PlanningError): void {
    this.#made.set(key, made)
    const [oldest] = this.#made.keys()
    if (this.#made.size > MAX_VARIANTS && oldest !== undefined) this.#made.delete(oldest)
  }

  /** Everybody who asks for this variant until the promise is settled waits for it. */
  wait({ key }: PlanVariant, making: Promise<Plan>): Promise<Plan> {
    const shared = making.finally(() => this.#making.delete(key))
    this.#making.set(key, shared)
    return shared
  }

  get size(): number {
    return this.#made.size
  }
}

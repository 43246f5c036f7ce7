/**
 * The response to an operation with active `@defer`: an initial result, and one subsequent result per
 * delivery group.
 */
import type { ExecutionResult, ResponseError } from './response.ts'

/**
 * The scope of one entry of `pending`. `fragment` announces a deferred fragment for all objects that it is
 * on, with a path that ends at the outermost list above them. `item` announces a deferred fragment for one
 * object, with the path of the object.
 */
export type PendingPer = 'fragment' | 'item'

/** An entry of `pending`: a deferred fragment that will be delivered. */
export type PendingFragment = {
  readonly id: string
  readonly path: readonly (string | number)[]
  readonly label?: string
}

/**
 * An entry of `incremental`: the fields that are delivered into one object.
 *
 * `subPath` leads from the announced path to the object, and is left out where it would be empty; so are
 * `errors`. Objects of this type always have their keys in this order, so that equal entries are printed as
 * equal bytes.
 */
export type IncrementalEntry = {
  readonly data: Readonly<Record<string, unknown>>
  readonly id: string
  readonly subPath?: readonly (string | number)[]
  readonly errors?: readonly ResponseError[]
}

/** An entry of `completed`. If it has errors, nothing was delivered into the objects at their paths. */
export type CompletedEntry = { readonly id: string; readonly errors?: readonly ResponseError[] }

/**
 * A result that follows the initial one: one delivery group, in all objects that its deferred fragment is on.
 */
export type SubsequentResult = {
  readonly incremental: readonly IncrementalEntry[]
  /** One entry for each entry of `pending` that announced the group. */
  readonly completed: readonly CompletedEntry[]
  /** The deferred fragments nested in the delivered one. */
  readonly pending: readonly PendingFragment[]
  readonly hasNext: boolean
}

/** The result that is delivered first, with all fields that are not deferred. */
export type InitialResult = ExecutionResult & {
  readonly pending: readonly PendingFragment[]
  readonly hasNext: boolean
}

/**
 * Receives the results. `weight` is about the number of values that a result holds, where sixteen characters
 * count as one. `cost` is the cost of this result and all before it; null if costs are not counted, or there
 * is too much to count.
 */
export type IncrementalListener = {
  /** Called once, before all else. Nothing else refers to the objects in `data`. */
  initial(result: InitialResult, weight: number, cost: number | null): void
  /**
   * Called once for each announced group, in the order of completion. `hasNext` is false on the last result
   * only.
   */
  subsequent(result: SubsequentResult, weight: number, cost: number | null): void
}

/** The response to an operation with active `@defer`: an initial result, and one subsequent result per delivery group. */
import type { ExecutionResult, ResponseError } from './response.ts'

/**
 * What one `pending` entry announces. `fragment`: a deferred fragment, for all objects that it is on; the path ends at the
 * outermost list above them. `item`: a deferred fragment on one object, of which it has the whole path.
 */
export type PendingPer = 'fragment' | 'item'

/** A fragment that will be delivered. */
export type PendingFragment = {
  readonly id: string
  readonly path: readonly (string | number)[]
  readonly label?: string
}

/**
 * What one object of a fragment gets. `subPath` leads on from the path that was announced; left out where nothing is missing, as
 * are errors where there are none. The keys have this order, so that equal entries are equal bytes when they are written.
 */
export type IncrementalEntry = {
  readonly data: Readonly<Record<string, unknown>>
  readonly id: string
  readonly subPath?: readonly (string | number)[]
  readonly errors?: readonly ResponseError[]
}

/** With errors: nothing was delivered into the object that they name. */
export type CompletedEntry = { readonly id: string; readonly errors?: readonly ResponseError[] }

export type SubsequentResult = {
  readonly incremental: readonly IncrementalEntry[]
  /** Everything that the fragment was announced with. */
  readonly completed: readonly CompletedEntry[]
  /** Fragments nested in this one. */
  readonly pending: readonly PendingFragment[]
  readonly hasNext: boolean
}

export type InitialResult = ExecutionResult & {
  readonly pending: readonly PendingFragment[]
  readonly hasNext: boolean
}

/** Each is told how large it is, too, about: values, of which sixteen characters count for one. */
export type IncrementalListener = {
  /** Once, first. `data` owns its objects; fields of deferred groups are absent. */
  initial(result: InitialResult, weight: number): void
  /** Once per completed fragment, in completion order; `hasNext` is false exactly once, on the last one. */
  subsequent(result: SubsequentResult, weight: number): void
}

/** What the executor asks of the outside world, and what it gives back. No HTTP here: the router turns these into requests. */
import type { GraphQLFormattedError } from 'graphql'
import type { IntrospectionResult } from '../introspection/introspect.ts'
import type { ExecutionWork } from '../work/execution-work.ts'
import type { Fetch, Plan } from '../plan/plan.ts'

export type SubgraphRequest = {
  readonly fetch: Fetch
  /** Name of the subgraph as the supergraph's `join__graph(name:)` gives it. */
  readonly subgraph: string
  /** The complete JSON request body: `{"query":…,"variables":{…}}`. */
  readonly body: string
}

export type SubgraphReply =
  /** An HTTP answer whose body is JSON. Status may be an error status: a GraphQL body is still used. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** No usable answer. `code` is a stable `SUBGRAPH_*` code; `message` may be shown to clients (no URL, no address). */
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }

/**
 * Starts one subgraph call and calls `done` once, later. One that throws, or calls at once or again, breaks this promise
 * but not the execution: a call that throws has failed, and only its first answer counts.
 */
export type FetchFunction = (request: SubgraphRequest, done: (reply: SubgraphReply) => void) => void

export type ResponseError = GraphQLFormattedError

export type ExecutionResult = {
  /** null when a non-null violation reached the root. */
  readonly data: Readonly<Record<string, unknown>> | null
  readonly errors: readonly ResponseError[]
}

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

export type IncrementalPart = {
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
  part(part: IncrementalPart, weight: number): void
}

/**
 * Told what is asked and what comes of it, fetch by fetch. The plan says where a fetch belongs; a fetch of which nothing is
 * told was not begun.
 */
export type FetchRecorder = {
  /** Right before the call. `from`: by variable of the document, for each representation in it the object it was made of. */
  rendered(fetch: Fetch, body: string, from: ReadonlyMap<string, readonly unknown[]>): void
  /**
   * It is over. `failure`: why nothing in its answer can be used. Of what was not rendered no call was made: nothing had to be
   * asked, or with a `failure` it could not be.
   */
  settled(fetch: Fetch, failure: { readonly code: string; readonly message: string } | null): void
}

export type ExecuteOptions = {
  readonly plan: Plan
  /** Coerced values, in the wire form that goes to subgraphs. Absent variables are absent here too. */
  readonly variables: ReadonlyMap<string, unknown>
  readonly fetch: FetchFunction
  /** The answer to the introspection that the plan holds. Without it, one is made in one go when everything else is there. */
  readonly introspection?: IntrospectionResult | null
  readonly signal?: AbortSignal
  /** Without it, nobody else is served meanwhile, and nothing is too much. Beyond its budget `onDefect` is told an `ExecutionLimitError`. */
  readonly work?: ExecutionWork
  /**
   * Told of errors that nobody foresaw. What the fetch function throws only fails that call. After one of the engine itself,
   * or of `done`, the execution is over, and `done` is not called any more; without this function such an error is thrown
   * to whoever gave the answer that led to it.
   */
  readonly onDefect?: (error: unknown, isOver: boolean) => void
  /** Nothing is made for it when there is none. */
  readonly recorder?: FetchRecorder
}

export type IncrementalOptions = ExecuteOptions & {
  /** `fragment` unless told otherwise. */
  readonly pendingPer?: PendingPer
}

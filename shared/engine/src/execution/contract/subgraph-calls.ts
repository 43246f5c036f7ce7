/**
 * The requests that the executor sends to subgraphs, and their replies. Nothing here knows HTTP: the router
 * turns requests into HTTP calls.
 */
import type { Fetch } from '../../plan/contract/plan.ts'

/** One GraphQL request to a subgraph. */
export type SubgraphRequest = {
  readonly fetch: Fetch
  /** Name of the subgraph as the supergraph's `join__graph(name:)` gives it. */
  readonly subgraph: string
  /** The complete JSON request body: `{"query":…,"variables":{…}}`. */
  readonly body: string
}

/** The outcome of a request to a subgraph. */
export type SubgraphReply =
  /** An HTTP answer whose body is JSON. A GraphQL body is used even if `status` is an error status. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /**
   * There was no usable answer. `code` is a stable `SUBGRAPH_*` code; `message` may be shown to clients, so
   * it has no address.
   */
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }

/**
 * Starts one subgraph call, and calls `done` once, after it has returned.
 *
 * The execution survives a function that breaks this promise: if it throws, the fetch has failed, and of
 * several calls of `done` the first one counts.
 */
export type FetchFunction = (request: SubgraphRequest, done: (reply: SubgraphReply) => void) => void

/**
 * Hears of the fetches of an execution, as traces show them. A fetch of which it hears nothing was not begun.
 */
export type FetchRecorder = {
  /**
   * Called right before the call of a subgraph. `from` holds, by variable of the document, the object from
   * which each entity representation was made.
   */
  rendered(fetch: Fetch, body: string, from: ReadonlyMap<string, readonly unknown[]>): void
  /**
   * Called when the fetch is over. `failure` is the reason why nothing in its answer can be used, or null. If
   * a fetch was not rendered, no call was made: there was nothing to ask for, or with a `failure` the request
   * could not be rendered.
   */
  settled(fetch: Fetch, failure: { readonly code: string; readonly message: string } | null): void
}

/** What the executor asks of subgraphs and gets from them. No HTTP here: the router turns requests into HTTP calls. */
import type { Fetch } from '../../plan/plan.ts'

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

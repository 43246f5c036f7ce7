/** Subscriptions at subgraphs, as those see them that need one. */
import type { SubgraphErrorCode } from '../../errors/subgraph-errors.ts'

/** One subscription at a subgraph, as it is sent. */
export type UpstreamRequest = {
  /** The subgraph as messages name it. */
  readonly subgraph: string
  /** `http(s):` for event streams, `ws(s):` for WebSockets. */
  readonly url: URL
  /** Names and values alternately, as the header rules make them. */
  readonly headers: readonly string[]
  /** The payload of `connection_init`; null if there is none. Not used for event streams. */
  readonly initPayload: Readonly<Record<string, unknown>> | null
  /** The complete JSON of the request: `{"query":…,"variables":{…}}`. */
  readonly body: string
}

/** The reason for which a source failed. The message never has an address. */
export type UpstreamFailure = { readonly code: SubgraphErrorCode; readonly message: string }

/** Receives what a source sends. Nothing is called before `open` has returned, or after `close`. */
export interface UpstreamListener {
  /**
   * An event: the GraphQL response of the subgraph as parsed JSON (an object), and its size as it came. If
   * the subgraph refuses the subscription with GraphQL errors, they come as an event, and the source is
   * completed.
   */
  event(body: unknown, bytes: number): void
  /** Events may have been lost: the source was opened again. */
  reopened(): void
  /** The source has ended by itself. Nothing follows. */
  completed(): void
  /** The source failed for good. Nothing follows. */
  failed(reason: UpstreamFailure): void
}

/** A source that is open, for one listener. */
export interface OpenSource {
  /** Nobody listens any more. Shared sources end with their last listener. Harmless when it is over. */
  close(): void
}

/** The protocol in which a subgraph serves subscriptions. */
export type UpstreamProtocol = 'graphql-transport-ws' | 'sse'

export type UpstreamOptions = {
  readonly protocol: UpstreamProtocol
  /** True if numbers that a double cannot hold are read as `ExactNumber`. */
  readonly exactNumbers: boolean
}

/** Opens subscriptions at subgraphs. */
export interface Upstreams {
  open(request: UpstreamRequest, options: UpstreamOptions, listener: UpstreamListener): OpenSource
}

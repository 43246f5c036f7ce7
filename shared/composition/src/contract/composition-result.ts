/**
 * The input and the result of a composition: plain data that can be stored, sent between threads and printed.
 */

/** A subgraph to be composed: its SDL as it was published. */
export type SubgraphInput = {
  readonly name: string
  readonly routingUrl: string
  readonly sdl: string
  /** The name of the subgraph that a feature subgraph replaces. */
  readonly baseName?: string | null | undefined
}

/** The subgraphs of one graph. Their order makes no difference. */
export type CompositionInput = {
  readonly subgraphs: readonly SubgraphInput[]
  /**
   * True means that routers do not enforce the directives that restrict who may see a field, which is
   * reported as a hint. Without this flag routers enforce them, and a rule that would not reach the routers
   * is refused.
   */
  readonly allowUnenforcedAuthorization?: boolean | undefined
  /** True refuses what the version before took, and what is a hint for one minor version otherwise. */
  readonly isStrict?: boolean | undefined
}

/** A place in one subgraph's SDL; both numbers start at 1. */
export type SdlLocation = {
  readonly subgraph: string
  readonly line: number
  readonly column: number
  /** UTF-16 units of the line that are meant, from the column on. */
  readonly length?: number | undefined
  /** The text to show at this place, where the places of one error differ: `Int here`. */
  readonly label?: string | undefined
}

/** One step of a path through the graph. */
export type PathStep = {
  /** `Type.field`, or `... on Type` for a type condition. */
  readonly coordinate: string
  /** The subgraph that resolves it; null for the last step, which none can resolve. */
  readonly subgraph: string | null
}

/** Why a path ends. */
export type UnreachableReason = {
  /** The subgraph in which the value is that the missing field belongs to. */
  readonly subgraph: string
  /** The subgraph that the path cannot go on in; null when there is none to go to. */
  readonly target: string | null
  readonly reason: string
}

/** Why subgraphs do not compose, with the places in their SDL that the error is about. */
export type CompositionError = {
  /** A code of the federation specification (`INVALID_FIELD_SHARING`), or one of ours, see docs/errors.md. */
  readonly code: string
  readonly message: string
  /** Names of the subgraphs concerned, sorted. Empty when the error is about the graph as a whole. */
  readonly subgraphs: readonly string[]
  readonly locations: readonly SdlLocation[]
  /** An operation that cannot be answered; with it come the path it takes and why that ends. */
  readonly operation?: string | undefined
  readonly path?: readonly PathStep[] | undefined
  readonly reasons?: readonly UnreachableReason[] | undefined
}

/** A hint at something that composes but is probably a mistake. */
export type CompositionHint = CompositionError

/** A supergraph, or the errors because of which there is none. */
export type CompositionResult =
  | {
      readonly kind: 'composed'
      readonly supergraphSdl: string
      readonly hints: readonly CompositionHint[]
    }
  | {
      readonly kind: 'failed'
      /** Never empty. */
      readonly errors: readonly CompositionError[]
      readonly hints: readonly CompositionHint[]
    }

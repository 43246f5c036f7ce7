/** What a composition takes and gives: plain data that can be stored, sent between threads and printed. */

export type SubgraphInput = {
  readonly name: string
  readonly routingUrl: string
  readonly sdl: string
}

export type CompositionInput = { readonly subgraphs: readonly SubgraphInput[] }

/** A place in one subgraph's SDL; both numbers start at 1. */
export type SdlLocation = { readonly subgraph: string; readonly line: number; readonly column: number }

export type CompositionError = {
  /** A code of the federation specification (`INVALID_FIELD_SHARING`), or one of ours, see docs/errors.md. */
  readonly code: string
  readonly message: string
  /** Names of the subgraphs concerned, sorted. Empty when the error is about the graph as a whole. */
  readonly subgraphs: readonly string[]
  readonly locations: readonly SdlLocation[]
}

/** Something that composes but is probably not what was meant. */
export type CompositionHint = CompositionError

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

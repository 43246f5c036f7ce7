/** Why a supergraph was not loaded. */
export type SupergraphErrorCode =
  | 'SUPERGRAPH_SYNTAX'
  | 'SUPERGRAPH_INVALID'
  | 'SUPERGRAPH_UNSUPPORTED_FEATURE'

/** The supergraph SDL cannot be served. Nothing was loaded. */
export class SupergraphError extends Error {
  readonly code: SupergraphErrorCode

  constructor(code: SupergraphErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'SupergraphError'
    this.code = code
  }
}

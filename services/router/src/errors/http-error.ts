/**
 * Every error the router itself answers with. The catalogue below is the list that docs/errors.md explains.
 */

/** Code → HTTP status of an answer that carries only this error. */
export const HTTP_ERRORS = {
  PERSISTED_QUERY_NOT_FOUND: 200,
  PERSISTED_QUERY_NOT_SUPPORTED: 200,
  BAD_REQUEST: 400,
  BATCHING_NOT_SUPPORTED: 400,
  COST_ESTIMATED_TOO_EXPENSIVE: 400,
  COST_INVALID_SLICING_ARGUMENTS: 400,
  PERSISTED_QUERY_HASH_MISMATCH: 400,
  PERSISTED_QUERY_ID_REQUIRED: 400,
  AUTHENTICATION_REQUIRED: 401,
  TOKEN_INVALID: 401,
  TRACE_TOKEN_INVALID: 401,
  CSRF_PREVENTED: 403,
  DEFER_PROBE_NOT_ALLOWED: 403,
  QUERY_NOT_IN_SAFELIST: 403,
  UNAUTHORIZED_FIELD_OR_TYPE: 403,
  NOT_FOUND: 404,
  PERSISTED_QUERY_NOT_IN_LIST: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BATCH_LIMIT_EXCEEDED: 422,
  HEADERS_TOO_LARGE: 431,
  RATE_LIMITED: 429,
  INTERNAL_SERVER_ERROR: 500,
  PLANNING_FAILED: 500,
  AUTHENTICATION_UNAVAILABLE: 503,
  DEFER_PROBE_LIMIT: 503,
  DRAINING: 503,
  FLAG_NOT_AVAILABLE: 503,
  FLAG_NOT_BUILT_YET: 503,
  NOT_READY: 503,
  OVERLOADED: 503,
  PLANNING_OVERLOADED: 503,
  RATE_LIMITS_UNAVAILABLE: 503,
} as const
/** A code of an error that is an answer of its own. */
export type HttpErrorCode = keyof typeof HTTP_ERRORS

/** Codes of errors inside a GraphQL answer, at the place of the failed fetch. */
export const SUBGRAPH_ERRORS = [
  'SUBGRAPH_ADDRESS_NOT_ALLOWED',
  'SUBGRAPH_BUSY',
  'SUBGRAPH_CANCELLED',
  'SUBGRAPH_CIRCUIT_OPEN',
  'SUBGRAPH_ERRORS',
  'SUBGRAPH_ERRORS_OMITTED',
  'SUBGRAPH_HTTP_ERROR',
  'SUBGRAPH_INVALID_RESPONSE',
  'SUBGRAPH_RESPONSE_TOO_LARGE',
  'SUBGRAPH_TIMEOUT',
  'SUBGRAPH_UNREACHABLE',
] as const
/** A code of an error that stands inside a GraphQL answer. */
export type SubgraphErrorCode = (typeof SUBGRAPH_ERRORS)[number]

/** Further codes with which the router refuses an operation that the engine accepts. */
export const OPERATION_ERRORS = ['INTROSPECTION_DISABLED'] as const

/** Codes with which an operation with an active `@defer` is refused because of its `Accept` header. */
export const DEFER_ERRORS = ['DEFER_BAD_HEADER', 'DEFER_UNSUPPORTED_SPEC'] as const
/** A code of a refusal because of `@defer`. */
export type DeferErrorCode = (typeof DEFER_ERRORS)[number]

/** Codes of manifests that are not taken, reported in logs and heartbeats. */
export const MANIFEST_ERRORS = [
  'MANIFEST_ARTIFACT_INVALID',
  'MANIFEST_ARTIFACT_MISSING',
  'MANIFEST_INVALID',
  'MANIFEST_NOT_BUILT',
  'MANIFEST_CONFLICT',
  'MANIFEST_OLDER',
  'MANIFEST_OTHER_GRAPH',
  'MANIFEST_SIGNATURE_INVALID',
  'MANIFEST_UNCONFIRMED',
] as const
/** A code of a manifest that is not taken. */
export type ManifestErrorCode = (typeof MANIFEST_ERRORS)[number]

/** A request that is answered with one error and nothing executed. The message is meant for the client. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: HttpErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(code: HttpErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.status = HTTP_ERRORS[code]
    this.headers = headers
  }
}

/** An offered manifest that is not served. What is being served stays as it is. */
export class ManifestRejectedError extends Error {
  override readonly name = 'ManifestRejectedError'
  readonly code: ManifestErrorCode
  /** Which version was offered, once that is known: of what is badly signed nothing is believed. */
  version: { readonly epoch: number; readonly revision: number } | null = null
  constructor(code: ManifestErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

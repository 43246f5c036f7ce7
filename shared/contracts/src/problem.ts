/**
 * RFC 9457 problem details of the management API, with a stable `code`. Every code is explained in
 * docs/errors.md.
 */
import { z } from 'zod'

export const PROBLEM_CODES = [
  'ALREADY_EXISTS',
  'API_KEY_SHOWN_ONCE',
  'BASE_SUBGRAPH_NOT_FOUND',
  'DESIRED_STATE_INVALID',
  'DOCUMENTS_INVALID',
  'FEATURE_FLAG_INVALID',
  'FEATURE_SUBGRAPH_EXPECTED',
  'FORBIDDEN',
  'HEADERS_TOO_LARGE',
  'IDEMPOTENCY_KEY_REUSED',
  'IMPORT_INCOMPLETE',
  'IMPORT_INVALID',
  'IMPORT_NOT_POSSIBLE',
  'INTERNAL_SERVER_ERROR',
  'INVALID_REQUEST',
  'LAST_ADMIN_KEY',
  'LIMIT_EXCEEDED',
  'METHOD_NOT_ALLOWED',
  'NAMESPACE_PROTECTED',
  'NOT_FOUND',
  'NOT_READY',
  'PAYLOAD_TOO_LARGE',
  'REGISTRY_BUSY',
  'REGISTRY_NOT_EMPTY',
  'REQUEST_TIMEOUT',
  'SCHEMA_INVALID',
  'STORAGE_UNAVAILABLE',
  'TOO_MANY_FAILED_AUTHENTICATIONS',
  'TRACE_KEY_FILE_UNUSABLE',
  'TRACE_KEY_UNAVAILABLE',
  'UNAUTHENTICATED',
  'UNSUPPORTED_MEDIA_TYPE',
  'WRITE_OUTCOME_UNKNOWN',
] as const
export const ProblemCode = z.enum(PROBLEM_CODES)
export type ProblemCode = z.infer<typeof ProblemCode>

export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: ProblemCode,
  /** A message that says what happened, what that means, and what was expected. */
  detail: z.string(),
  /** All reasons when there are several: numbered by their position. */
  problems: z.array(z.string()).optional(),
  /** Places in the SDL; only with SCHEMA_INVALID. */
  locations: z.array(z.object({ line: z.int(), column: z.int(), message: z.string() })).optional(),
})
export type Problem = z.infer<typeof Problem>

const STATUS: Readonly<Record<ProblemCode, { readonly status: number; readonly title: string }>> = {
  ALREADY_EXISTS: { status: 409, title: 'A resource of this name exists already' },
  API_KEY_SHOWN_ONCE: { status: 409, title: 'An API key is shown once' },
  BASE_SUBGRAPH_NOT_FOUND: { status: 404, title: 'The base subgraph does not exist' },
  DESIRED_STATE_INVALID: { status: 422, title: 'The desired state cannot be reached' },
  DOCUMENTS_INVALID: { status: 422, title: 'The manifest of documents was refused' },
  FEATURE_FLAG_INVALID: { status: 422, title: 'The feature flag was refused' },
  FEATURE_SUBGRAPH_EXPECTED: { status: 409, title: 'It is no such feature subgraph' },
  FORBIDDEN: { status: 403, title: 'The API key may not do this' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'The idempotency key belongs to another command' },
  IMPORT_INCOMPLETE: { status: 500, title: 'The import stopped in the middle' },
  IMPORT_NOT_POSSIBLE: { status: 503, title: 'The registry cannot write what an import writes' },
  IMPORT_INVALID: { status: 422, title: 'The export cannot be imported' },
  INTERNAL_SERVER_ERROR: { status: 500, title: 'Internal error' },
  INVALID_REQUEST: { status: 400, title: 'The request is malformed' },
  LAST_ADMIN_KEY: { status: 409, title: 'Nobody could manage keys any more' },
  LIMIT_EXCEEDED: { status: 422, title: 'A limit of the registry is reached' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The path does not take this method' },
  NAMESPACE_PROTECTED: { status: 422, title: 'The namespace cannot be deleted' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  NOT_READY: { status: 503, title: 'The service is not ready' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The request is too large' },
  REGISTRY_BUSY: { status: 503, title: 'Too many writers at once' },
  REGISTRY_NOT_EMPTY: { status: 409, title: 'The registry is not empty' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive' },
  SCHEMA_INVALID: { status: 422, title: 'The schema is invalid' },
  STORAGE_UNAVAILABLE: { status: 503, title: 'The log cannot be reached' },
  TOO_MANY_FAILED_AUTHENTICATIONS: { status: 429, title: 'Too many failed authentications' },
  TRACE_KEY_FILE_UNUSABLE: { status: 409, title: 'The file of the trace keys cannot be used' },
  TRACE_KEY_UNAVAILABLE: { status: 409, title: 'No key can sign a trace token' },
  UNAUTHENTICATED: { status: 401, title: 'No valid API key' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Writes take application/json' },
  WRITE_OUTCOME_UNKNOWN: { status: 504, title: 'The outcome of the write is unknown' },
}

export function problem(
  code: ProblemCode,
  detail: string,
  more: Pick<Problem, 'problems' | 'locations'> = {},
): Problem {
  const { status, title } = STATUS[code]
  return {
    type: `urn:switchyard:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    code,
    detail,
    ...more,
  }
}

/** A refused command or request, thrown inside services and turned into a problem body at the edge. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  constructor(value: Problem, cause?: unknown) {
    super(value.detail, cause === undefined ? undefined : { cause })
    this.problem = value
  }
}

/** Refusals in the form of OFREP, of one flag or of all together. */
import type { HttpErrorCode } from '../../errors/http-error.ts'

/** A refusal with a code of the router's own. */
type Refused = { readonly code: HttpErrorCode; readonly message: string }

/** The error codes of OpenFeature that the router uses. */
type ErrorCode = 'FLAG_NOT_FOUND' | 'INVALID_CONTEXT' | 'PARSE_ERROR' | 'GENERAL'

/** A refusal as OFREP writes it. A refusal of all flags has no key. */
export type OfrepFailure = {
  readonly key?: string
  readonly errorCode: ErrorCode
  readonly errorDetails: string
}

/** Returns a refusal in the form of OFREP. `key` is null if all flags were asked for. */
export function failureOf({ code, message }: Refused, key: string | null): OfrepFailure {
  const errorCode = errorCodeOf(code)
  const errorDetails = errorCode === 'GENERAL' ? `${code}: ${message}` : message
  return { ...(key === null ? {} : { key }), errorCode, errorDetails }
}

function errorCodeOf(code: HttpErrorCode): ErrorCode {
  switch (code) {
    case 'FLAG_NOT_FOUND':
    case 'INVALID_CONTEXT':
      return code
    case 'BAD_REQUEST':
      return 'PARSE_ERROR'
    default:
      return 'GENERAL'
  }
}

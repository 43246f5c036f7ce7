/** Every error the router itself answers with. Files beside this one declare the codes. */
import type { ManifestErrorCode } from './manifest-errors.ts'
import { REFUSALS } from './refusals.ts'

/** The statuses of answers that carry only this error, by its code. */
export const HTTP_ERRORS = { ...REFUSALS, UNAUTHORIZED_FIELD_OR_TYPE: { status: 403 } } as const
/** A code of an error that is an answer of its own. */
export type HttpErrorCode = keyof typeof HTTP_ERRORS

/** A request that is answered with one error and nothing executed. The message is meant for the client. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: HttpErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(code: HttpErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.status = HTTP_ERRORS[code].status
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

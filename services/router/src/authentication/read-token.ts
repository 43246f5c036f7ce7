/** What a token says of itself before it is verified: enough to choose who has to have signed it. */
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { tokenInvalid } from './refusals.ts'

/** A token that says more is no token, but an attack. In characters. */
export const MAX_TOKEN = 8192

/** Nothing of it is true before the signature was verified. */
export type ReadToken = {
  readonly alg: string
  readonly kid: string | undefined
  readonly iss: unknown
  readonly exp: number | undefined
}

/** Throws HttpError. */
export function readToken(text: string): ReadToken {
  if (text.length > MAX_TOKEN) throw tokenInvalid('too-long')
  try {
    const { alg, kid } = decodeProtectedHeader(text)
    const { iss, exp } = decodeJwt(text)
    if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string'))
      throw tokenInvalid('malformed')
    return { alg, kid, iss, exp }
  } catch {
    throw tokenInvalid('malformed')
  }
}

/** Reads a token before it is verified: just enough to choose who has to have signed it. */
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { tokenInvalid } from './refusals.ts'

/** Characters of a token. A longer one is no token, but an attack. */
export const MAX_TOKEN = 8192

/** The contents of a token. None of them can be trusted before the signature was verified. */
export type ReadToken = {
  readonly alg: string
  readonly kid: string | undefined
  readonly iss: unknown
  readonly exp: number | undefined
}

/** Reads a token. Throws HttpError if it is malformed or too long. */
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

/**
 * How requests are refused because of who asks (RFC 6750, section 3). What is said of a token is said in
 * words of ours: nothing of the token is in an answer, which may end up in logs that others read.
 */
import { HttpError } from '../errors/http-error.ts'

/** Neither `"` nor `\`: the reason becomes a part of `WWW-Authenticate`. */
export type TokenProblem = keyof typeof PROBLEMS

const PROBLEMS = {
  'too-long': 'It is longer than the 8192 characters allowed',
  malformed: 'It is no signed JSON Web Token (RFC 7519)',
  algorithm: 'It is signed by an algorithm that is not taken',
  issuer: 'It is from an issuer whose tokens are not taken',
  key: 'It is signed by a key that its issuer does not publish',
  'ambiguous-key': 'It does not say which of several keys has signed it (kid)',
  signature: 'Its signature is wrong',
  expired: 'It has expired (exp)',
  'not-yet-valid': 'It is not valid yet (nbf)',
  'from-the-future': 'It was issued in the future (iat)',
  audience: 'It is not meant for this graph (aud)',
  claim: 'A claim that it must have is missing or not of the right type',
} as const

const RETRY = { 'Retry-After': '1' }

/** The refusal of a token that is no good. */
export function tokenInvalid(problem: TokenProblem): HttpError {
  const reason = PROBLEMS[problem]
  return new HttpError('TOKEN_INVALID', `The token of this request is not valid. ${reason}.`, {
    'WWW-Authenticate': `Bearer error="invalid_token", error_description="${reason}"`,
  })
}

/** The refusal of a request that has no token and needs one. `what`: of it, needs a token. */
export function authenticationRequired(what = 'This request'): HttpError {
  return new HttpError('AUTHENTICATION_REQUIRED', `${what} needs a token, and there is none.`, {
    'WWW-Authenticate': 'Bearer realm="graphql"',
  })
}

/** The refusal of a token for which no keys have been read yet. */
export function authenticationUnavailable(): HttpError {
  return new HttpError(
    'AUTHENTICATION_UNAVAILABLE',
    'The token of this request cannot be checked at the moment: the keys of its issuer are not there. Try again in a moment.',
    RETRY,
  )
}

/** The refusal of a token while more wait to be checked than may. */
export function tooManyTokens(): HttpError {
  return new HttpError(
    'OVERLOADED',
    'Too many tokens wait to be checked, and this one had to give way. Try again in a moment.',
    RETRY,
  )
}

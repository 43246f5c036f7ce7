/**
 * Makes the errors of requests that are refused because of their token, or because they have none (RFC 6750,
 * section 3). Their messages are our own: nothing of the token is in an answer, which may end up in logs that
 * others read.
 */
import { HttpError } from '../../errors/http-error.ts'

/**
 * The problems of a token. Their messages have neither `"` nor `\`, because they become a part of
 * `WWW-Authenticate`.
 */
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

/** Returns the refusal of a token that is not valid. */
export function tokenInvalid(problem: TokenProblem): HttpError {
  const reason = PROBLEMS[problem]
  return new HttpError('TOKEN_INVALID', `The token of this request is not valid. ${reason}.`, {
    'WWW-Authenticate': `Bearer error="invalid_token", error_description="${reason}"`,
  })
}

/**
 * Returns the refusal of a request that needs a token and has none. `what` is the part of it that needs one.
 */
export function authenticationRequired(what = 'This request'): HttpError {
  return new HttpError('AUTHENTICATION_REQUIRED', `${what} needs a token, and there is none.`, {
    'WWW-Authenticate': 'Bearer realm="graphql"',
  })
}

/** Returns the refusal of a token for which no keys have been read yet. */
export function authenticationUnavailable(): HttpError {
  return new HttpError(
    'AUTHENTICATION_UNAVAILABLE',
    'The token of this request cannot be checked at the moment: the keys of its issuer are not there. Try again in a moment.',
    RETRY,
  )
}

/** Returns the refusal of a token because too many wait to be checked. */
export function tooManyTokens(): HttpError {
  return new HttpError(
    'OVERLOADED',
    'Too many tokens wait to be checked, and this one had to give way. Try again in a moment.',
    RETRY,
  )
}

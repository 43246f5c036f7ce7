/**
 * Verifies that a token was signed by its provider, for us, and for now. The settings say which algorithms
 * are used, and a public key is never taken for a secret.
 */
import { errors, jwtVerify, type JWTVerifyOptions } from 'jose'
import type { ProviderConfig } from './settings.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { KeySet } from './key-set.ts'
import { tokenInvalid } from './refusals.ts'

export type TokenRules = Pick<ProviderConfig, 'issuers' | 'audiences' | 'algorithms' | 'requiredClaims'> & {
  /** How much the clocks of issuers and of this router may differ, in milliseconds. */
  readonly clockTolerance: number
}

/** The claims of a good token, and the time until which it is good, in Unix milliseconds. */
export type GoodClaims = {
  readonly claims: Readonly<Record<string, unknown>>
  readonly expires: number
}

/** Verifies a token. `now` is in Unix milliseconds. Rejects with HttpError. */
export async function verifyToken(
  text: string,
  keys: KeySet,
  rules: TokenRules,
  now: number,
): Promise<GoodClaims> {
  const { issuers, audiences, algorithms, requiredClaims } = rules
  const tolerance = rules.clockTolerance / 1000
  const options: JWTVerifyOptions = {
    algorithms: [...algorithms],
    clockTolerance: tolerance,
    requiredClaims: [...requiredClaims],
    currentDate: new Date(now),
    ...(issuers.length === 0 ? {} : { issuer: [...issuers] }),
    ...(audiences === null ? {} : { audience: [...audiences] }),
  }
  try {
    const { payload } = await jwtVerify(
      text,
      async ({ alg, kid }) => {
        const key = await keys.find({ alg, kid })
        if (key === null) throw new errors.JWKSMultipleMatchingKeys()
        return key
      },
      options,
    )
    if (payload.iat !== undefined && payload.iat > now / 1000 + tolerance)
      throw tokenInvalid('from-the-future')
    const expires = payload.exp === undefined ? Number.POSITIVE_INFINITY : (payload.exp + tolerance) * 1000
    return { claims: payload, expires }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Returns the error for a client. A token that cannot be verified is invalid, whatever the reason. */
function refusalOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  // Thrown for keys that do not fit the algorithm.
  if (!(error instanceof errors.JOSEError)) return tokenInvalid('key')
  switch (error.code) {
    case 'ERR_JWT_EXPIRED':
      return tokenInvalid('expired')
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return tokenInvalid(problemOfClaim(error instanceof errors.JWTClaimValidationFailed ? error : null))
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return tokenInvalid('signature')
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return tokenInvalid('algorithm')
    case 'ERR_JWKS_NO_MATCHING_KEY':
      return tokenInvalid('key')
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return tokenInvalid('ambiguous-key')
    default:
      return tokenInvalid('malformed')
  }
}

function problemOfClaim(error: errors.JWTClaimValidationFailed | null) {
  if (error === null || error.reason !== 'check_failed') return 'claim'
  if (error.claim === 'nbf') return 'not-yet-valid'
  if (error.claim === 'iss') return 'issuer'
  return error.claim === 'aud' ? 'audience' : 'claim'
}

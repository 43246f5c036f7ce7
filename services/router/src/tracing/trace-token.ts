/**
 * Checks a trace token (PROTOCOL.md §7) with the public keys of the manifest, and nothing else.
 *
 * What costs little is looked at first: the length before anything is parsed, the header before a signature
 * is checked. One signature is checked per token. Of what a token says, nothing is repeated before its
 * signature is known to be good.
 */
import {
  type Jwks,
  MAX_TRACE_TOKEN_LENGTH,
  MAX_TRACE_TOKEN_SECONDS,
  TRACE_TOKEN_SKEW_SECONDS,
  type TraceExclusion,
  TraceTokenClaims,
} from '@switchyard/contracts'
import type { CryptoKey, JWK } from 'jose'
import { z } from 'zod'

export type CheckedToken =
  | { readonly kind: 'good'; readonly exclude: readonly TraceExclusion[] }
  | { readonly kind: 'bad'; readonly message: string }

export type TokenExpectations = {
  readonly keys: Jwks
  /** `<namespace>/<graph>` */
  readonly audience: string
  /** Unix milliseconds. */
  readonly now: number
}

const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** Strict: what else a header may hold names keys or changes rules, and no registry writes it. */
const Header = z.strictObject({
  alg: z.literal('EdDSA'),
  kid: z.string().min(1),
  typ: z.literal('JWT').optional(),
})
const Ed25519Jwk = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
})

export class TraceTokens {
  /** Imported keys, by the key of a manifest. Each is imported once as long as its manifest is served. */
  readonly #publicKeys = new WeakMap<object, Promise<CryptoKey>>()

  check(token: string, expected: TokenExpectations): CheckedToken | Promise<CheckedToken> {
    if (token.length > MAX_TRACE_TOKEN_LENGTH) {
      return bad(`It is longer than the ${MAX_TRACE_TOKEN_LENGTH} characters that a token may have.`)
    }
    if (token === '') return bad('It is empty.')
    if (!COMPACT_JWS.test(token)) return bad('It is no signed token, or there are several.')
    const kid = keyIdOf(token)
    if (kid === null) {
      return bad('Its header is not that of a trace token: EdDSA with the id of a key was expected.')
    }
    const jwk = expected.keys.keys.find((key) => key.kid === kid)
    if (jwk === undefined) {
      return bad('Its key is none that this router knows: it was retired, or is of another installation.')
    }
    return this.#checkSigned(token, jwk, expected)
  }

  async #checkSigned(
    token: string,
    jwk: Jwks['keys'][number],
    expected: TokenExpectations,
  ): Promise<CheckedToken> {
    try {
      const { compactVerify } = await import('jose')
      const { payload } = await compactVerify(token, await this.#publicKey(jwk), { algorithms: ['EdDSA'] })
      return checkClaims(payload, expected)
    } catch {
      return bad('Its signature is wrong.')
    }
  }

  #publicKey(jwk: Jwks['keys'][number]): Promise<CryptoKey> {
    let key = this.#publicKeys.get(jwk)
    if (key === undefined) {
      key = importPublicKey(jwk)
      this.#publicKeys.set(jwk, key)
    }
    return key
  }
}

function checkClaims(payload: Uint8Array, expected: TokenExpectations): CheckedToken {
  const claims = TraceTokenClaims.safeParse(unambiguousJson(payload))
  if (!claims.success)
    return bad('It lacks claims of a trace token, has one twice, or has some that this router does not know.')
  const objection = objectionTo(claims.data, expected)
  return objection === null ? { kind: 'good', exclude: claims.data.exclude ?? [] } : bad(objection)
}

function objectionTo(
  { aud, iat, nbf = iat, exp }: TraceTokenClaims,
  { audience, now }: TokenExpectations,
): string | null {
  const seconds = now / 1000
  const start = Math.max(iat, nbf)
  const validFor = exp - Math.min(iat, nbf)
  if (aud !== audience) return `It is for another graph than ${audience}.`
  if (exp <= start || validFor > MAX_TRACE_TOKEN_SECONDS) {
    return `It is valid for longer than the ${MAX_TRACE_TOKEN_SECONDS / 3600} hours that a token may be, or never.`
  }
  if (start > seconds + TRACE_TOKEN_SKEW_SECONDS) return 'It is not valid yet.'
  if (exp <= seconds - TRACE_TOKEN_SKEW_SECONDS) return 'It has expired.'
  return null
}

function keyIdOf(token: string): string | null {
  const [header = ''] = token.split('.', 1)
  const parsed = Header.safeParse(unambiguousJson(Buffer.from(header, 'base64url')))
  return parsed.success ? parsed.data.kid : null
}

async function importPublicKey(jwk: JWK): Promise<CryptoKey> {
  const { kty, crv, x } = Ed25519Jwk.parse(jwk)
  const { importJWK } = await import('jose')
  const key = await importJWK({ kty, crv, x }, 'EdDSA')
  if (key instanceof Uint8Array) throw new TypeError('a public key was imported as a secret')
  return key
}

/**
 * Null for what is not written as `JSON.stringify` writes it, as registries do. A name that is there twice
 * has another value for one reader than for the next: https://www.rfc-editor.org/rfc/rfc7519#section-4 lets a
 * reader refuse that.
 */
function unambiguousJson(bytes: Uint8Array): unknown {
  try {
    const text = Buffer.from(bytes).toString('utf8')
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text ? value : null
  } catch {
    return null
  }
}

function bad(reason: string): CheckedToken {
  return { kind: 'bad', message: `The trace token is not valid. ${reason}` }
}

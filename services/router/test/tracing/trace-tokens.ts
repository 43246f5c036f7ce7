/** Tokens as a registry signs them, and as somebody would who is none. */
import { createPrivateKey, sign } from 'node:crypto'
import type { Jwks } from '@switchyard/contracts'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

export const NOW = Date.parse('2026-11-21T08:00:00.000Z')
export const SECONDS = NOW / 1000
export const AUDIENCE = 'default/shop'

export type TestKey = {
  readonly kid: string
  readonly publicJwk: Jwks['keys'][number]
  readonly privateJwk: JWK
}

export async function newTestKey(kid: string): Promise<TestKey> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { x = '', d = '' } = await exportJWK(privateKey)
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }
  return { kid, publicJwk, privateJwk: { ...publicJwk, d } }
}

export function goodClaims(more: object = {}): object {
  return { aud: AUDIENCE, iat: SECONDS, exp: SECONDS + 600, jti: 'a', ...more }
}

export function goodHeader({ kid }: TestKey, more: object = {}): object {
  return { alg: 'EdDSA', typ: 'JWT', kid, ...more }
}

/** Signed by Ed25519, whatever the header says. */
export function signed(
  key: TestKey,
  claims: object | string = goodClaims(),
  header: object | string = goodHeader(key),
): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  const privateKey = createPrivateKey({ key: { ...key.privateJwk }, format: 'jwk' })
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

export function encoded(value: object | string): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

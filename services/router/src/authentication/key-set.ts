/**
 * The keys of a JWKS (RFC 7517) that can have signed a token. A set is read by somebody else's rules, so that
 * it may hold keys of any kind: those that fit no algorithm of the provider are left out here.
 */
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { isJsonObject } from '@switchyard/engine'
import { createLocalJWKSet, type CryptoKey, type JSONWebKeySet, type JWK } from 'jose'
import { isSecretKeyAlgorithm } from './settings.ts'
import type { ProviderConfig } from './settings.ts'

type Algorithms = ProviderConfig['algorithms']

/** Further ones are no set of keys, but a mistake. */
export const MAX_KEYS = 100
/** RFC 7518, section 3.3, and what takes no more than a millisecond to verify with. In characters. */
const RSA_MODULUS = { shortest: 342, longest: 1366 }
/** Bits of the hash, which a secret must have at least (RFC 7518, section 3.2). In bytes. */
const SECRET_SIZE: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 }

/** What was read of a set. */
export type ReadKeys = {
  readonly keys: readonly JWK[]
  /** How many keys were left out. */
  readonly unusable: number
}

/** A set that cannot be used. */
export class KeySetError extends Error {
  override readonly name = 'KeySetError'
}

/** `text`: JSON. Throws KeySetError. */
export function readKeys(text: string, algorithms: Algorithms): ReadKeys {
  const all = membersOf(text)
  const isSecret = algorithms.some(isSecretKeyAlgorithm)
  if (isSecret && all.some(({ kty }) => kty !== 'oct'))
    throw new KeySetError('a set of secrets (HS256, HS384, HS512) may hold no key that is not of type oct')
  const keys = all.flatMap((key) => {
    const usable = isSecret ? usableSecret(key, algorithms) : usablePublicKey(key)
    return usable === null ? [] : [usable]
  })
  return { keys, unusable: all.length - keys.length }
}

function membersOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  let set: unknown
  try {
    set = JSON.parse(text)
  } catch {
    throw new KeySetError('it is not JSON')
  }
  const keys = isJsonObject(set) ? set['keys'] : undefined
  if (!Array.isArray(keys) || !keys.every(isJsonObject))
    throw new KeySetError('it is no JWKS: expected {"keys": [...]} (RFC 7517)')
  if (keys.length > MAX_KEYS) throw new KeySetError(`it has ${keys.length} keys, more than ${MAX_KEYS}`)
  return keys
}

/** Members that say which key it is, and for what it is. */
const COMMON = ['kty', 'kid', 'alg', 'use', 'key_ops'] as const

/** Without what belongs to a private key, should it be one. null: it cannot be used. */
function usablePublicKey(given: Readonly<Record<string, unknown>>): JWK | null {
  const key = partOf(given, [...COMMON, 'crv', 'x', 'y', 'n', 'e'])
  const { kty, n } = key
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') return null
  if (!isForSignatures(key)) return null
  if (kty === 'RSA') {
    const length = n?.length ?? 0
    if (length < RSA_MODULUS.shortest || length > RSA_MODULUS.longest) return null
  }
  try {
    createPublicKey({ key: { ...key }, format: 'jwk' })
    return key
  } catch {
    return null
  }
}

function usableSecret(given: Readonly<Record<string, unknown>>, algorithms: Algorithms): JWK | null {
  const key = partOf(given, [...COMMON, 'k'])
  const size = Buffer.byteLength(key.k ?? '', 'base64url')
  const isLong = algorithms.every((algorithm) => size >= (SECRET_SIZE[algorithm] ?? 0))
  return isForSignatures(key) && isLong ? key : null
}

/** The members of these names that are what they should be. */
function partOf(given: Readonly<Record<string, unknown>>, names: readonly string[]): JWK {
  const part: Record<string, unknown> = {}
  for (const name of names) {
    const value = given[name]
    if (typeof value === 'string' || (name === 'key_ops' && Array.isArray(value))) part[name] = value
  }
  return part
}

function isForSignatures({ use, key_ops: operations }: JWK): boolean {
  return (use ?? 'sig') === 'sig' && (operations?.includes('verify') ?? true)
}

/** Of the header of a token that is not verified. */
export type NamedKey = { readonly alg: string; readonly kid: string | undefined }

/** The keys of one provider at one time. */
export class KeySet {
  readonly size: number
  readonly #kids: ReadonlySet<string>
  readonly #publicKeys: ((header: { alg: string; kid?: string }) => Promise<CryptoKey>) | null
  readonly #secrets: readonly { readonly kid: string | undefined; readonly key: KeyObject }[]

  constructor(keys: readonly JWK[], isSecret: boolean) {
    this.size = keys.length
    this.#kids = new Set(keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid])))
    const set: JSONWebKeySet = { keys: isSecret ? [] : [...keys] }
    this.#publicKeys = isSecret ? null : createLocalJWKSet(set)
    this.#secrets = isSecret
      ? keys.map(({ kid, k = '' }) => ({ kid, key: createSecretKey(k, 'base64url') }))
      : []
  }

  /** Whether a token may be signed by one of them, as far as the name of the key tells it. */
  mayHave(kid: string | undefined): boolean {
    return kid === undefined ? this.size > 0 : this.#kids.has(kid)
  }

  /** Throws, or rejects with, JWKSNoMatchingKey and JWKSMultipleMatchingKeys. */
  find({ alg, kid }: NamedKey): KeyObject | Promise<CryptoKey> | null {
    if (this.#publicKeys !== null) return this.#publicKeys(kid === undefined ? { alg } : { alg, kid })
    const fitting = this.#secrets.filter((secret) => kid === undefined || secret.kid === kid)
    return fitting.length === 1 ? (fitting[0]?.key ?? null) : null
  }
}

/**
 * Reads the keys of a JWKS (RFC 7517) that can have signed a token. Others decide what is in a set, so that
 * it may hold keys of any kind: those that fit no algorithm of the provider are left out.
 */
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { isJsonObject } from '@switchyard/engine'
import { createLocalJWKSet, type CryptoKey, type JSONWebKeySet, type JWK } from 'jose'
import { isSecretKeyAlgorithm } from './settings.ts'
import type { ProviderConfig } from './settings.ts'

type Algorithms = ProviderConfig['algorithms']

/** The largest number of keys. A list with more is no key set, but a mistake. */
export const MAX_KEYS = 100
/**
 * Characters of the modulus of an RSA key: the shortest that RFC 7518, section 3.3, allows, and the longest
 * with which a verification takes no more than a millisecond.
 */
const RSA_MODULUS = { shortest: 342, longest: 1366 }
/** Bytes that a secret must have at least: as many as the hash (RFC 7518, section 3.2). */
const SECRET_SIZE: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 }

/** The keys that were read of a set. */
export type ReadKeys = {
  readonly keys: readonly JWK[]
  /** The number of keys that were left out. */
  readonly unusable: number
}

/** Reports that a set cannot be used. */
export class KeySetError extends Error {
  override readonly name = 'KeySetError'
}

/** Reads a set. `text` is JSON. Throws KeySetError. */
export function readKeySet(text: string, algorithms: Algorithms): ReadKeys {
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

/** Members that identify a key, and say what it is for. */
const COMMON = ['kty', 'kid', 'alg', 'use', 'key_ops'] as const

/**
 * Returns the key without the members that belong to a private key, if it is one. Returns null if it cannot
 * be used.
 */
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

/** Returns the members with these names whose values have the right type. */
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

/** The algorithm and the name of a key, from the header of a token that is not verified. */
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

  /** Returns whether one of the keys may have signed a token, as far as the name of the key tells it. */
  mayHave(kid: string | undefined): boolean {
    return kid === undefined ? this.size > 0 : this.#kids.has(kid)
  }

  /**
   * Returns the key for a token. Throws, or rejects with, JWKSNoMatchingKey and JWKSMultipleMatchingKeys. Of
   * secrets, returns null unless exactly one fits.
   */
  find({ alg, kid }: NamedKey): KeyObject | Promise<CryptoKey> | null {
    if (this.#publicKeys !== null) return this.#publicKeys(kid === undefined ? { alg } : { alg, kid })
    const fitting = this.#secrets.filter((secret) => kid === undefined || secret.kid === kid)
    return fitting.length === 1 ? (fitting[0]?.key ?? null) : null
  }
}

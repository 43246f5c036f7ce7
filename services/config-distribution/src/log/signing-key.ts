/**
 * The Ed25519 key that signs manifests. It is a file (a private JWK, mode 0600) or a mounted secret; only its
 * public half leaves this service, as the JWKS that routers get in `SWITCHYARD_CONFIG_KEYS`.
 */
import { open, readFile } from 'node:fs/promises'
import { Jwks } from '@switchyard/contracts'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { CryptoKey } from 'jose'
import { z } from 'zod'
import { SigningKeyInvalidError, SigningKeyMissingError } from '../errors/errors.ts'

const PrivateJwk = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
})

export type SigningKey = {
  /** The RFC 7638 thumbprint: the same key has the same id wherever it is loaded. */
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicJwk: Jwks['keys'][number]
  /** JSON of the private JWK, for the key file. Never logged. */
  exportPrivate(): string
}

export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return toSigningKey(PrivateJwk.parse(await exportJWK(privateKey)))
}

/** Throws SigningKeyMissingError or SigningKeyInvalidError; both say how to make a key. */
export async function loadSigningKey(file: string): Promise<SigningKey> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new SigningKeyMissingError(file, error)
  })
  try {
    return await toSigningKey(PrivateJwk.parse(JSON.parse(text)))
  } catch (error) {
    throw new SigningKeyInvalidError(file, error)
  }
}

/** Writes a new file that only its owner can read; an existing file is never overwritten. */
export async function saveSigningKey(file: string, key: SigningKey): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.writeFile(`${key.exportPrivate()}\n`)
  await handle.sync()
}

/** Returns the keys with which routers check manifests: several while one key replaces another. */
export function publicJwks(...keys: readonly SigningKey[]): Jwks {
  return { keys: keys.map(({ publicJwk }) => publicJwk) }
}

async function toSigningKey({ kty, crv, x, d }: z.infer<typeof PrivateJwk>): Promise<SigningKey> {
  const kid = await calculateJwkThumbprint({ kty, crv, x })
  const privateKey = await importJWK({ kty, crv, x, d }, 'EdDSA')
  if (privateKey instanceof Uint8Array) throw new TypeError('an OKP key was imported as a secret')
  return {
    kid,
    privateKey,
    publicJwk: { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' },
    exportPrivate: () => JSON.stringify({ kty, crv, x, d, kid, alg: 'EdDSA', use: 'sig' }),
  }
}

/**
 * An Ed25519 key that signs trace tokens. Its private half is in the key file and in no log, answer or error.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'

const Coordinate = z.string().regex(/^[\w-]{43}$/)
const Okp = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: Coordinate })
const PrivateJwk = Okp.extend({ d: Coordinate })
/** One private JWK, or a set of them. */
const KeyFile = z.union([
  z.looseObject({ keys: z.array(PrivateJwk).max(100) }),
  PrivateJwk.transform((key) => ({ keys: [key] })),
])

type Jwk = { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
export type PublicTraceJwk = Jwk & { readonly kid: string; readonly alg: 'EdDSA'; readonly use: 'sig' }
export type PrivateTraceJwk = PublicTraceJwk & { readonly d: string }

export type TraceKey = {
  /** The RFC 7638 thumbprint: the same key has the same id wherever it is read, whatever the file says. */
  readonly kid: string
  readonly publicJwk: PublicTraceJwk
  readonly privateJwk: PrivateTraceJwk
}

/** Its id does not begin with "-", which one in 64 would: command lines take such a word for an option. */
export async function newTraceKey(): Promise<TraceKey> {
  for (;;) {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
    const key = await traceKeyOf(PrivateJwk.parse(await exportJWK(privateKey)))
    if (!key.kid.startsWith('-')) return key
  }
}

/**
 * Reads trace keys. Null if the text holds none; no reason is told, since it would show parts of the file.
 */
export async function parseTraceKeys(text: string): Promise<readonly TraceKey[] | null> {
  try {
    const { keys } = KeyFile.parse(JSON.parse(text))
    return await Promise.all(keys.map(traceKeyOf))
  } catch {
    return null
  }
}

export function printTraceKeys(keys: readonly TraceKey[]): string {
  return `${JSON.stringify({ keys: keys.map(({ privateJwk }) => privateJwk) }, null, 2)}\n`
}

/** Throws when the two halves do not belong together: routers would be given a key that checks nothing. */
async function traceKeyOf({ kty, crv, x, d }: z.infer<typeof PrivateJwk>): Promise<TraceKey> {
  const derived = createPublicKey(createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' }))
  if (derived.export({ format: 'jwk' }).x !== x) throw new TypeError('the halves of a key pair differ')
  const kid = await calculateJwkThumbprint({ kty, crv, x })
  const publicJwk: PublicTraceJwk = { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }
  return { kid, publicJwk, privateJwk: { ...publicJwk, d } }
}

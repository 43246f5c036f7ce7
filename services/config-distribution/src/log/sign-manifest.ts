/** A manifest as the text that is signed, and its detached signature (RFC 7515, appendix F). */
import type { ArtifactReference, ConfigRecord, Manifest } from '@switchyard/contracts'
import { compactVerify, FlattenedSign, importJWK } from 'jose'
import type { SigningKey } from './signing-key.ts'

/** Keys in a fixed order, flags and previews by name, so that equal manifests are equal bytes. */
export function manifestText(manifest: Manifest): string {
  const flags = byName(manifest.featureFlags).map(([name, flag]) => [name, inOrder(flag)] as const)
  const previews = byName(manifest.previews ?? {}).map(
    ([name, { expires, ...preview }]) => [name, { ...inOrder(preview), expires }] as const,
  )
  return JSON.stringify({
    formatVersion: manifest.formatVersion,
    graph: { namespace: manifest.graph.namespace, name: manifest.graph.name },
    epoch: manifest.epoch,
    revision: manifest.revision,
    createdAt: manifest.createdAt,
    registrySequence: manifest.registrySequence,
    base: manifest.base === null ? null : inOrder(manifest.base),
    featureFlags: Object.fromEntries(flags),
    ...(previews.length === 0 ? {} : { previews: Object.fromEntries(previews) }),
    ...(manifest.documents === undefined ? {} : { documents: manifest.documents }),
    ...(manifest.rollouts === undefined ? {} : { rollouts: manifest.rollouts }),
    traceKeys: manifest.traceKeys,
  } satisfies Manifest)
}

function byName<Item>(items: Readonly<Record<string, Item>>): (readonly [string, Item])[] {
  return Object.entries(items).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

function inOrder({ artifact, pieces }: ArtifactReference): ArtifactReference {
  return { artifact, ...(pieces === undefined ? {} : { pieces }) }
}

/**
 * Returns `header..signature`. The payload is left out, since it is stored beside the signature byte for
 * byte.
 */
export async function signManifest(text: string, key: SigningKey): Promise<string> {
  const jws = await new FlattenedSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
    .sign(key.privateKey)
  return `${jws.protected}..${jws.signature}`
}

/** True if routers that know only this key take the record. */
export async function isSignedWith(
  { manifest, signature }: Pick<ConfigRecord, 'manifest' | 'signature'>,
  { publicJwk }: SigningKey,
): Promise<boolean> {
  const [header = '', , proof = ''] = signature.split('.')
  const payload = Buffer.from(manifest).toString('base64url')
  const key = await importJWK(publicJwk, 'EdDSA')
  return compactVerify(`${header}.${payload}.${proof}`, key, { algorithms: ['EdDSA'] }).then(
    () => true,
    () => false,
  )
}

/**
 * Checks the signature, the graph and the hashes of what a config store offers, which is not trusted
 * otherwise.
 */
import { type GraphKey, hashUnpacked, type StoredManifest } from '@switchyard/config-store'
import { type Jwks, MAX_ARTIFACT_BYTES, Manifest, traceAudience } from '@switchyard/contracts'
import pMap from 'p-map'
import { messageOf } from '@switchyard/values'
import { ManifestRejectedError } from '../../errors/http-error.ts'
import type { OfferedConfig, SourceName, VerifiedConfig } from '../offered-config.ts'
import { signedBy } from './signed-by.ts'

/** Number of artifacts that are read and checked at a time. */
const READ_AT_A_TIME = 4
const NONE: ReadonlySet<string> = new Set()

/** Checks signature, form and graph of a stored manifest. Throws ManifestRejectedError. */
export type ManifestVerifier = (stored: StoredManifest, graph: GraphKey) => Promise<Manifest>

/** `keys`: the public Ed25519 keys that manifests may be signed with. Throws ManifestRejectedError. */
export function createManifestVerifier(keys: Jwks): ManifestVerifier {
  const check = signedBy(keys)
  return async (stored, graph) => {
    const [header = '', payload = '', signature = '', ...rest] = stored.signature.split('.')
    if (header === '' || signature === '' || payload !== '' || rest.length > 0) {
      throw new ManifestRejectedError(
        'MANIFEST_SIGNATURE_INVALID',
        'It is not signed: a compact JWS with a detached payload was expected.',
      )
    }
    try {
      const attached = Buffer.from(stored.manifest).toString('base64url')
      await check(`${header}.${attached}.${signature}`)
    } catch (error) {
      throw new ManifestRejectedError(
        'MANIFEST_SIGNATURE_INVALID',
        'Its signature was not made by any of the configured keys.',
        error,
      )
    }
    const manifest = parsed(stored.manifest)
    if (manifest.graph.namespace !== graph.namespace || manifest.graph.name !== graph.graph) {
      throw new ManifestRejectedError(
        'MANIFEST_OTHER_GRAPH',
        `It is for the graph ${manifest.graph.namespace}/${manifest.graph.name}, this router serves ` +
          `${graph.namespace}/${graph.graph}.`,
      )
    }
    return manifest
  }
}

/** Makes the offer of a manifest whose signature was verified. */
export function offerOf(
  manifest: Manifest,
  signed: StoredManifest,
  source: SourceName,
  { confirm, readArtifact }: Pick<OfferedConfig, 'confirm' | 'readArtifact'>,
): OfferedConfig {
  const graph = { namespace: manifest.graph.namespace, graph: manifest.graph.name }
  return {
    source,
    damage: [],
    graph,
    version: { epoch: manifest.epoch, revision: manifest.revision },
    createdAt: manifest.createdAt,
    registrySequence: manifest.registrySequence,
    base: manifest.base?.artifact ?? null,
    featureFlags: new Map(
      Object.entries(manifest.featureFlags).map(([name, { artifact }]) => [name, artifact]),
    ),
    documents: manifest.documents ?? [],
    traceKeys: manifest.traceKeys,
    traceAudience: traceAudience(graph),
    signed,
    confirm,
    readArtifact,
  }
}

/**
 * Reads every artifact the config names, those of unused flags too, so that a flag can be built later without
 * the source. `known` are artifacts checked before. Throws ManifestRejectedError if one is damaged or
 * missing, unless it is among those of `mayLack`, which are left out then.
 */
export async function verifyArtifacts(
  offer: OfferedConfig & { readonly base: string },
  known: ReadonlyMap<string, Uint8Array>,
  mayLack: ReadonlySet<string> = NONE,
): Promise<VerifiedConfig> {
  const { confirm: _, readArtifact, ...rest } = offer
  const damaged = new Map<string, string>()
  const artifacts = new Map<string, Uint8Array>()
  const read = async (sha256: string) => {
    try {
      const bytes = known.get(sha256) ?? (await checkedArtifact(sha256, await readArtifact(sha256)))
      artifacts.set(sha256, bytes)
    } catch (error) {
      if (!mayLack.has(sha256) || !isDamage(error, offer)) throw error
      damaged.set(sha256, messageOf(error))
    }
  }
  const documents = offer.documents.map(({ manifest }) => manifest)
  await pMap(new Set([offer.base, ...offer.featureFlags.values(), ...documents]), read, {
    concurrency: READ_AT_A_TIME,
  })
  return { ...rest, damage: [...offer.damage, ...leftOut(offer, damaged)], artifacts }
}

/** A store that does not answer has not damaged anything. */
function isDamage(error: unknown, { source }: OfferedConfig): boolean {
  return source === 'last-known-good copy' || error instanceof ManifestRejectedError
}

/** `damaged`: what is wrong with artifacts, by hash. */
function leftOut(
  { source, featureFlags, documents }: OfferedConfig,
  damaged: ReadonlyMap<string, string>,
): readonly string[] {
  const flags = [...featureFlags].map(([flag, sha256]) => [`feature flag "${flag}" is not served`, sha256])
  const manifests = documents.map(({ name, manifest }) => [`documents "${name}" are not used`, manifest])
  return [...flags, ...manifests].flatMap(([what = '', sha256 = '']) => {
    const problem = damaged.get(sha256)
    return problem === undefined ? [] : [`${what}, since it is damaged in the ${source}: ${problem}`]
  })
}

async function checkedArtifact(sha256: string, gzipped: Uint8Array | null): Promise<Uint8Array> {
  if (gzipped === null) {
    throw new ManifestRejectedError('MANIFEST_ARTIFACT_MISSING', `Its artifact ${sha256} is not there.`)
  }
  const found = await hashUnpacked(gzipped, MAX_ARTIFACT_BYTES).catch((error: unknown) => {
    throw new ManifestRejectedError(
      'MANIFEST_ARTIFACT_INVALID',
      `Its artifact ${sha256} cannot be unpacked to at most ${MAX_ARTIFACT_BYTES} bytes: ${messageOf(error)}.`,
      error,
    )
  })
  if (found !== sha256) {
    throw new ManifestRejectedError('MANIFEST_ARTIFACT_INVALID', `Its artifact ${sha256} has another hash.`)
  }
  return gzipped
}

function parsed(bytes: Uint8Array): Manifest {
  try {
    return Manifest.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch (error) {
    throw new ManifestRejectedError(
      'MANIFEST_INVALID',
      'It is signed, but not in a form that this router reads: an upgrade may be needed.',
      error,
    )
  }
}

/** Checks the signature and the graph of what a config store offers, which is not trusted otherwise. */
import type { GraphKey, StoredManifest } from '@switchyard/config-store'
import { type Jwks, Manifest, traceAudience, variantReferences } from '@switchyard/contracts'
import { ManifestRejectedError } from '../../errors/http-error.ts'
import type { OfferedConfig, SourceName } from '../offered-config.ts'
import { signedBy } from './signed-by.ts'

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
  { confirm, readArtifact, readPiece }: Pick<OfferedConfig, 'confirm' | 'readArtifact' | 'readPiece'>,
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
    previews: new Map(
      Object.entries(manifest.previews ?? {}).map(([name, { artifact, expires }]) => [
        name,
        { artifact, expires: Date.parse(expires) },
      ]),
    ),
    pieces: piecesOf(manifest),
    documents: manifest.documents ?? [],
    rollouts: manifest.rollouts ?? [],
    traceKeys: manifest.traceKeys,
    traceAudience: traceAudience(graph),
    signed,
    confirm,
    readArtifact,
    readPiece,
  }
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

/** The lists of artifacts that are stored in pieces as well, by the hash of the artifact. */
function piecesOf(manifest: Manifest): ReadonlyMap<string, string> {
  const { base } = manifest
  const references = [...(base === null ? [] : [base]), ...variantReferences(manifest)]
  return new Map(
    references.flatMap(({ artifact, pieces }) => (pieces === undefined ? [] : [[artifact, pieces]])),
  )
}

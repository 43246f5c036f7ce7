/**
 * An execution config as a source offers it: names and hashes are there, the artifacts are still to be read
 * and checked.
 */
import type { GraphKey, ManifestVersion, StoredManifest } from '@switchyard/config-store'
import type { DocumentReference, Jwks, ManifestRollout } from '@switchyard/contracts'
import { type CutArtifact, hasArtifact } from './content/artifact-content.ts'

/** The source of a config, as logs and metrics name it. */
export type SourceName = 'config store' | 'last-known-good copy' | 'execution config file' | 'supergraph file'

/** A preview of a config. */
export type OfferedPreview = {
  readonly artifact: string
  /** Unix milliseconds. From then on it is not served. */
  readonly expires: number
}

/** A config that may be served, whose artifacts are not fetched yet. */
export type OfferedConfig = {
  readonly source: SourceName
  /** Damaged parts of the source, because of which another config is offered, or only a part of this one. */
  readonly damage: readonly string[]
  readonly graph: GraphKey | null
  /** Zeros for a file, which has no history: every signed manifest is newer. */
  readonly version: ManifestVersion
  readonly createdAt: string | null
  readonly registrySequence: number
  /** Hash of the base artifact; null if the graph was deleted. */
  readonly base: string | null
  /** Hash of the artifact by flag name: a Map, since requests name flags. */
  readonly featureFlags: ReadonlyMap<string, string>
  /** Previews by the name that requests give. Empty if the router serves none. */
  readonly previews: ReadonlyMap<string, OfferedPreview>
  /** Hashes of the lists of chunks, by artifact: of those that are stored in pieces as well. */
  readonly pieces: ReadonlyMap<string, string>
  /** Manifests of persisted documents that were published for the graph, by name. */
  readonly documents: readonly DocumentReference[]
  /** The rollouts of the graph in their order; none for a file. */
  readonly rollouts: readonly ManifestRollout[]
  /** Public keys of trace tokens; none for a file. */
  readonly traceKeys: Jwks
  /** The audience that trace tokens must name; `''` for a file, which accepts none. */
  readonly traceAudience: string
  /** The signed manifest, for the last-known-good copy; null for a file that is trusted as given. */
  readonly signed: StoredManifest | null
  /**
   * Throws ManifestRejectedError if the config may not be the newest that there is. Called only if no config
   * as new as this one is known.
   */
  readonly confirm: () => Promise<void>
  /** Gzipped bytes, not yet checked; null when the source does not have them. */
  readonly readArtifact: (sha256: string) => Promise<Uint8Array | null>
  /** The same for lists and chunks. */
  readonly readPiece: (sha256: string) => Promise<Uint8Array | null>
}

/** Damaged parts that the health page names. */
const MAX_NAMED = 3

/** Describes the damage of the config that is served, for the health page; null if there is none. */
export function damageOf({ damage }: Pick<VerifiedConfig, 'damage'>): string | null {
  if (damage.length === 0) return null
  const more = damage.length > MAX_NAMED ? `; and ${damage.length - MAX_NAMED} more` : ''
  return damage.slice(0, MAX_NAMED).join('; ') + more
}

/** Names in a config that are left out, since their artifacts are damaged or missing. */
export type LeftOut = { readonly flags: readonly string[]; readonly documents: readonly string[] }

/** Sorted by name. Previews are among the flags. */
export function leftOutOf(
  config: Pick<VerifiedConfig, 'artifacts' | 'pieces' | 'featureFlags' | 'previews' | 'documents'>,
): LeftOut {
  const { artifacts, featureFlags, previews, documents } = config
  const ofPreviews = [...previews].map(([name, { artifact }]) => [name, artifact] as const)
  const flags = [...featureFlags, ...ofPreviews].filter(([, sha256]) => !hasArtifact(config, sha256))
  const manifests = documents.filter(({ manifest }) => !artifacts.has(manifest))
  return { flags: flags.map(([name]) => name).sort(), documents: manifests.map(({ name }) => name).sort() }
}

/**
 * Lists artifacts without which a config may be served: those of flags and of document manifests that are not
 * served now either, so that no client loses anything, and those of previews, which are for no client.
 * `previous` is the config served now, or null.
 */
export function dispensable(
  {
    base,
    featureFlags,
    previews,
    documents,
  }: Pick<OfferedConfig, 'base' | 'featureFlags' | 'previews' | 'documents'>,
  previous: VerifiedConfig | null,
): ReadonlySet<string> {
  const may = new Set([...previews.values()].map(({ artifact }) => artifact))
  const needed = new Set<string>(base === null ? [] : [base])
  const look = (sha256: string, served: string | undefined) => {
    const isServed = served !== undefined && previous !== null && hasArtifact(previous, served)
    ;(isServed ? needed : may).add(sha256)
  }
  for (const [flag, sha256] of featureFlags) look(sha256, previous?.featureFlags.get(flag))
  for (const { name, manifest } of documents) {
    look(manifest, previous?.documents.find((served) => served.name === name)?.manifest)
  }
  for (const sha256 of needed) may.delete(sha256)
  return may
}

/**
 * All artifacts have the hash they are named by, and all are there unless something is damaged: then those of
 * flags and of manifests of documents may be missing, and never that of base.
 */
export type VerifiedConfig = Omit<
  OfferedConfig,
  'confirm' | 'readArtifact' | 'readPiece' | 'base' | 'pieces'
> & {
  readonly base: string
  /** Gzipped bytes by hash: artifacts as a whole, and lists and chunks of the others. */
  readonly artifacts: ReadonlyMap<string, Uint8Array>
  /** The artifacts that are there in pieces, by their hash. */
  readonly pieces: ReadonlyMap<string, CutArtifact>
}

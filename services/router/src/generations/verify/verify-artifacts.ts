/**
 * Reads what a config names, in pieces or as a whole, and checks its hashes: a config store is not trusted
 * otherwise.
 */
import { hashUnpacked } from '@switchyard/config-store'
import { MAX_ARTIFACT_BYTES } from '@switchyard/contracts'
import { messageOf } from '@switchyard/values'
import pMap from 'p-map'
import { ManifestRejectedError } from '../../errors/http-error.ts'
import type { CutArtifact } from '../content/artifact-content.ts'
import type { OfferedConfig, VerifiedConfig } from '../offered-config.ts'
import { DamagedPieceError, PieceReader } from './verify-pieces.ts'

/** Number of artifacts that are read and checked at a time. */
const READ_AT_A_TIME = 4
const NONE: ReadonlySet<string> = new Set()

/** Artifacts and pieces that were checked before. */
export type KnownArtifacts = Pick<VerifiedConfig, 'artifacts' | 'pieces'>

export const NOTHING_KNOWN: KnownArtifacts = { artifacts: new Map(), pieces: new Map() }

/**
 * Reads every artifact the config names, those of unused flags too, so that a flag can be built later without
 * the source. An artifact whose pieces are missing or damaged is read as a whole. Throws
 * ManifestRejectedError if that is damaged or missing, too, unless it is among those of `mayLack`, which are
 * left out then.
 */
export async function verifyArtifacts(
  offer: OfferedConfig & { readonly base: string },
  known: KnownArtifacts = NOTHING_KNOWN,
  {
    mayLack = NONE,
    onDamagedPieces = () => {},
  }: {
    readonly mayLack?: ReadonlySet<string>
    readonly onDamagedPieces?: (error: DamagedPieceError) => void
  } = {},
): Promise<VerifiedConfig> {
  const { confirm: _, readArtifact, readPiece, pieces: lists, ...rest } = offer
  const damaged = new Map<string, string>()
  const artifacts = new Map<string, Uint8Array>()
  const pieces = new Map<string, CutArtifact>()
  const reader = new PieceReader({ known: known.artifacts, knownLists: known.pieces, readPiece })
  const readInPieces = async (artifact: string, list: string): Promise<boolean> => {
    try {
      const read = await reader.read(artifact, list)
      for (const [sha256, gzipped] of read.pieces) artifacts.set(sha256, gzipped)
      pieces.set(artifact, read.cut)
      return true
    } catch (error) {
      if (!(error instanceof DamagedPieceError)) throw error
      onDamagedPieces(error)
      return false
    }
  }
  const read = async (sha256: string) => {
    const whole = known.artifacts.get(sha256)
    const list = lists.get(sha256)
    try {
      if (whole === undefined && list !== undefined && (await readInPieces(sha256, list))) return
      artifacts.set(sha256, whole ?? (await checkedArtifact(sha256, await readArtifact(sha256))))
    } catch (error) {
      if (!mayLack.has(sha256) || !isDamage(error, offer)) throw error
      damaged.set(sha256, messageOf(error))
    }
  }
  const documents = offer.documents.map(({ manifest }) => manifest)
  const previews = [...offer.previews.values()].map(({ artifact }) => artifact)
  await pMap(new Set([offer.base, ...offer.featureFlags.values(), ...previews, ...documents]), read, {
    concurrency: READ_AT_A_TIME,
  })
  return { ...rest, damage: [...offer.damage, ...leftOut(offer, damaged)], artifacts, pieces }
}

/** A store that does not answer has not damaged anything. */
function isDamage(error: unknown, { source }: OfferedConfig): boolean {
  return source === 'last-known-good copy' || error instanceof ManifestRejectedError
}

/** `damaged`: what is wrong with artifacts, by hash. */
function leftOut(
  { source, featureFlags, previews, documents }: OfferedConfig,
  damaged: ReadonlyMap<string, string>,
): readonly string[] {
  const flags = [...featureFlags].map(([flag, sha256]) => [`feature flag "${flag}" is not served`, sha256])
  const manifests = documents.map(({ name, manifest }) => [`documents "${name}" are not used`, manifest])
  // The health page tells it to everybody, and the name of a preview is a secret.
  const ofPreviews = [...previews.values()].map(({ artifact }) => ['a preview is not served', artifact])
  return [...flags, ...ofPreviews, ...manifests].flatMap(([what = '', sha256 = '']) => {
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

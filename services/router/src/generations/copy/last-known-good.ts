/**
 * The copy on disk with which a router starts when the config store is away: per graph one small file with
 * manifest and signature, and beside it a folder with every artifact by its hash, written once. It is
 * verified like any source: a disk is no more trusted than a network.
 *
 * The file is replaced as a whole after all its artifacts are on disk, and what it named before stays until
 * the write after: whenever the process or the machine stops, the file names artifacts that are there. A
 * second file holds the config that was served before, for a start that finds the first one damaged.
 */
import { join } from 'node:path'
import { type GraphKey, readBounded, type StoredManifest } from '@switchyard/config-store'
import { writeWholeFile } from '@switchyard/files'
import { type ArtifactReference } from '@switchyard/contracts'
import { chunksOf } from '@switchyard/contracts/artifact-pieces'
import { makeFolder } from '@switchyard/service-kit/make-folder'
import { ManifestRejectedError } from '../../errors/http-error.ts'
import { copyNameOf } from './copy-name.ts'
import { type CopyContent, formatCopy, parseCopy } from './copy-file.ts'
import { KeptArtifacts, nullIfTooLarge } from './kept-artifacts.ts'
import type { OfferedConfig, VerifiedConfig } from '../offered-config.ts'
import { type ManifestVerifier, offerOf } from '../verify/verify-manifest.ts'
import { DamagedPieceError, unpackPieceList } from '../verify/verify-pieces.ts'

/** The file holds a manifest and a hash for each artifact or chunk: the names of 300 graphs of 5 MB. */
const MAX_COPY_BYTES = 8 * 1024 * 1024

/** Which of the two configs that a copy holds: the newest one, or the one that was served before it. */
export type KeptGeneration = 'newest' | 'before'
/** The copies in the order in which they are tried. */
export const KEPT_GENERATIONS: readonly KeptGeneration[] = ['newest', 'before']

/** Keeps a copy of the config that was served last, and of the one before, for starts without the store. */
export interface LastKnownGood {
  /**
   * Reads the copy; null if there is none. Throws ManifestRejectedError if the copy is damaged or forged, and
   * FileTooLargeError.
   */
  read(graph: GraphKey, which: KeptGeneration): Promise<OfferedConfig | null>
  /** Resolves when the copy is on disk, with a function that puts back what was there before. */
  write(graph: GraphKey, config: VerifiedConfig): Promise<() => Promise<void>>
}

/** `directory` has one folder for each graph. Copies are verified like what the config store has. */
export function createLastKnownGood(directory: string, verify: ManifestVerifier): LastKnownGood {
  const places = new Map<string, CopyPlace>()
  const placeOf = (graph: GraphKey) => {
    const name = join(directory, copyNameOf(graph))
    let place = places.get(name)
    if (place === undefined) {
      const artifacts = new KeptArtifacts(`${name}.artifacts`)
      place = { newest: `${name}.json`, before: `${name}.before.json`, artifacts }
      places.set(name, place)
    }
    return place
  }
  const manifestIn = async (bytes: Buffer, graph: GraphKey) => {
    const { signed } = parseCopy(bytes)
    return { signed, manifest: await verify(signed, graph) }
  }
  /** Whether a router could start from the file, and it says something else than what is to be written. */
  const isWorthKeeping = async (bytes: Buffer, graph: GraphKey, next: StoredManifest) => {
    try {
      const { signed, manifest } = await manifestIn(bytes, graph)
      const { base } = manifest
      const isOther = Buffer.compare(signed.manifest, next.manifest) !== 0
      return isOther && base !== null && (await isThere(base, placeOf(graph).artifacts))
    } catch (error) {
      if (error instanceof ManifestRejectedError) return false
      throw error
    }
  }

  return {
    async read(graph, which) {
      const place = placeOf(graph)
      const bytes = await readBounded(place[which], MAX_COPY_BYTES)
      if (bytes === null) return null
      const { signed, manifest } = await manifestIn(bytes, graph)
      return offerOf(manifest, signed, 'last-known-good copy', {
        // The newest-check was made when the copy was written, and there is nothing newer to start with.
        confirm: async () => {},
        readArtifact: (sha256) => place.artifacts.read(sha256),
        readPiece: (sha256) => place.artifacts.read(sha256),
      })
    },

    async write(graph, { signed, artifacts }) {
      if (signed === null) return async () => {}
      const { newest, before, artifacts: kept } = placeOf(graph)
      await makeFolder(directory, { mode: 0o700 })
      const [last, lastBefore] = [await bytesIn(newest), await bytesIn(before)]
      const copy = formatCopy(signed, [...artifacts.keys()])
      if (copy.byteLength > MAX_COPY_BYTES)
        throw new Error(`Its file would have ${copy.byteLength} bytes. Expected: ${MAX_COPY_BYTES} at most.`)
      await kept.sweep(new Set([...artifacts.keys(), ...namedBy(last), ...namedBy(lastBefore)]))
      await kept.add(artifacts)
      const isKept = last !== null && (await isWorthKeeping(last, graph, signed))
      if (isKept) await writeWholeFile(before, last)
      await writeWholeFile(newest, copy)
      return async () => {
        if (last !== null) await writeWholeFile(newest, last)
        if (isKept && lastBefore !== null) await writeWholeFile(before, lastBefore)
      }
    },
  }
}

/** Whether the folder has all of a composition, as a whole or in pieces. */
async function isThere({ artifact, pieces }: ArtifactReference, kept: KeptArtifacts): Promise<boolean> {
  if (await kept.isWhole(artifact)) return true
  const gzipped = pieces !== undefined && (await kept.isWhole(pieces)) ? await kept.read(pieces) : null
  if (gzipped === null) return false
  try {
    const list = await unpackPieceList(gzipped)
    for (const sha256 of chunksOf(list)) if (!(await kept.isWhole(sha256))) return false
    return true
  } catch (error) {
    if (error instanceof DamagedPieceError) return false
    throw error
  }
}

/** The files of one graph. */
type CopyPlace = Readonly<Record<KeptGeneration, string>> & { readonly artifacts: KeptArtifacts }

function bytesIn(path: string): Promise<Buffer | null> {
  return readBounded(path, MAX_COPY_BYTES).catch(nullIfTooLarge)
}

/** A file that cannot be read refers to no artifact that could be used. */
function namedBy(file: Buffer | null): readonly string[] {
  if (file === null) return []
  let content: CopyContent
  try {
    content = parseCopy(file)
  } catch {
    return []
  }
  return content.names
}

/**
 * The copy on disk with which a router starts when the config store is away: per graph one small file with
 * manifest and signature, and beside it a folder with every artifact by its hash, written once. It is
 * verified like any source: a disk is no more trusted than a network.
 *
 * The file is replaced as a whole after all its artifacts are on disk, and what it named before stays until
 * the write after: whenever the process or the machine stops, the file names artifacts that are there.
 */
import { join } from 'node:path'
import { type GraphKey, readBounded } from '@switchyard/config-store'
import { writeWholeFile } from '@switchyard/files'
import { MAX_MANIFEST_BYTES } from '@switchyard/contracts'
import { makeFolder } from '@switchyard/service-kit/make-folder'
import { copyNameOf } from './copy-name.ts'
import { type CopyContent, formatCopy, parseCopy } from './copy-file.ts'
import { KeptArtifacts, nullIfTooLarge } from './kept-artifacts.ts'
import type { OfferedConfig, VerifiedConfig } from './offered-config.ts'
import { type ManifestVerifier, offerOf } from './verify-manifest.ts'

/** The file holds a manifest, with its quotes escaped, and a hash for each artifact. */
const MAX_COPY_BYTES = 4 * MAX_MANIFEST_BYTES

/** Keeps a copy of the config that was served last, for starts without the config store. */
export interface LastKnownGood {
  /**
   * null: there is no copy. Throws ManifestRejectedError for one that is damaged or forged,
   * FileTooLargeError.
   */
  read(graph: GraphKey): Promise<OfferedConfig | null>
  /** Resolves when the copy is on disk, with a function that puts back what was there before. */
  write(graph: GraphKey, config: VerifiedConfig): Promise<() => Promise<void>>
}

/** `directory` has one folder for each graph. Copies are verified like what the config store has. */
export function createLastKnownGood(directory: string, verify: ManifestVerifier): LastKnownGood {
  const folders = new Map<string, KeptArtifacts>()
  const placeOf = (graph: GraphKey) => {
    const name = join(directory, copyNameOf(graph))
    let artifacts = folders.get(name)
    if (artifacts === undefined) {
      artifacts = new KeptArtifacts(`${name}.artifacts`)
      folders.set(name, artifacts)
    }
    return { path: `${name}.json`, artifacts }
  }

  return {
    async read(graph) {
      const { path, artifacts } = placeOf(graph)
      const bytes = await readBounded(path, MAX_COPY_BYTES)
      if (bytes === null) return null
      const { signed } = parseCopy(bytes)
      const manifest = await verify(signed, graph)
      return offerOf(manifest, signed, 'last-known-good copy', {
        // The newest-check was made when the copy was written, and there is nothing newer to start with.
        confirm: async () => {},
        readArtifact: (sha256) => artifacts.read(sha256),
      })
    },

    async write(graph, { signed, artifacts }) {
      if (signed === null) return async () => {}
      const { path, artifacts: kept } = placeOf(graph)
      await makeFolder(directory, { mode: 0o700 })
      const before = await readBounded(path, MAX_COPY_BYTES).catch(nullIfTooLarge)
      await kept.sweep(new Set([...artifacts.keys(), ...namedBy(before)]))
      await kept.add(artifacts)
      await writeWholeFile(path, formatCopy(signed, [...artifacts.keys()]))
      return async () => {
        if (before !== null) await writeWholeFile(path, before)
      }
    },
  }
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

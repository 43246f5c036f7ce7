import { rm, stat } from 'node:fs/promises'
import { MAX_ARTIFACT_BYTES, MAX_PACKED_ARTIFACT_BYTES } from '@switchyard/contracts'
import type { ManifestVersion, StoredManifest } from '../store/config-store.ts'
import { hashUnpacked } from '../store/hash-unpacked.ts'
import { MAX_HISTORY_FILE_BYTES, MAX_MANIFEST_FILE_BYTES } from '../store/limits.ts'
import { extendHistory } from '../store/manifest-version.ts'
import type { GraphPaths } from './paths.ts'
import { FileTooLargeError, readBounded } from './read-bounded.ts'
import { parseHistory, parseManifest } from './stored-files.ts'

/** Reads the files of graphs in a directory, and reports those that are damaged. */
export class GraphFiles {
  readonly #onCorruption: (path: string, problem: string) => void
  /** Artifact files found whole, by path, with the time and size they had. */
  readonly #whole = new Map<string, string>()

  constructor(onCorruption: (path: string, problem: string) => void) {
    this.#onCorruption = onCorruption
  }

  /**
   * Reads the versions of a graph. The history file is written after the manifest, so after a crash between
   * the two it lacks the newest version.
   */
  async history(paths: GraphPaths): Promise<readonly ManifestVersion[]> {
    const listed = (await this.#parsed(paths.history, MAX_HISTORY_FILE_BYTES, parseHistory)) ?? []
    const current = await this.manifest(paths)
    return current === null ? listed : extendHistory(listed, current.version)
  }

  manifest({ manifest }: GraphPaths): Promise<StoredManifest | null> {
    return this.#parsed(manifest, MAX_MANIFEST_FILE_BYTES, parseManifest)
  }

  async #parsed<Value>(
    path: string,
    limit: number,
    parse: (text: Buffer) => Value | null,
  ): Promise<Value | null> {
    const text = await this.whole(path, limit)
    if (text === null) return null
    const value = parse(text)
    if (value === null) this.#onCorruption(path, 'truncated or not in the expected form')
    return value
  }

  /** Reads a file. Null if it is not there, or larger than it can be. */
  async whole(path: string, limit: number): Promise<Buffer | null> {
    try {
      return await readBounded(path, limit)
    } catch (error) {
      if (!(error instanceof FileTooLargeError)) throw error
      this.#onCorruption(path, error.message)
      return null
    }
  }

  /**
   * Reads an artifact. Null if its file is missing or damaged: gzip carries a checksum, and unpacking runs
   * off the event loop.
   */
  async artifact(path: string): Promise<Uint8Array | null> {
    const stamp = await stampOf(path)
    const bytes = await this.whole(path, MAX_PACKED_ARTIFACT_BYTES)
    if (bytes === null || stamp === null) return null
    if (this.#whole.get(path) !== stamp) {
      try {
        await hashUnpacked(bytes, MAX_ARTIFACT_BYTES)
      } catch (error) {
        this.#onCorruption(path, error instanceof Error ? error.message : String(error))
        return null
      }
      this.#whole.set(path, stamp)
    }
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Tells whether an artifact is there and whole. Reads its file only if that has changed. */
  async hasArtifact(path: string): Promise<boolean> {
    const stamp = await stampOf(path)
    if (stamp === null) return false
    return this.#whole.get(path) === stamp || (await this.artifact(path)) !== null
  }

  async deleteArtifact(path: string): Promise<void> {
    this.#whole.delete(path)
    await rm(path, { force: true })
  }
}

async function stampOf(path: string): Promise<string | null> {
  const file = await orMissing(stat(path))
  return file === null ? null : `${file.ino} ${file.mtimeMs} ${file.size}`
}

/** Resolves with null, instead of rejecting, for a file that is not there. */
export async function orMissing<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

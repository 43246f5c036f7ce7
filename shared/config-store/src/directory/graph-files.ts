import type { ManifestVersion, StoredManifest } from '../store/config-store.ts'
import { MAX_HISTORY_FILE_BYTES, MAX_MANIFEST_FILE_BYTES } from '../store/limits.ts'
import { extendHistory } from '../store/manifest-version.ts'
import type { GraphPaths } from './paths.ts'
import { readOrReport } from './read-bounded.ts'
import { parseHistory, parseManifest } from './stored-files.ts'

/** Reads the manifests and histories of graphs in a directory, and reports those that are damaged. */
export class GraphFiles {
  readonly #onCorruption: (path: string, problem: string) => void

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
  whole(path: string, limit: number): Promise<Buffer | null> {
    return readOrReport(path, limit, this.#onCorruption)
  }
}

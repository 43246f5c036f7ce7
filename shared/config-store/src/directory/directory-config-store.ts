/**
 * The config store of one machine: a directory that one process writes and any number of routers read.
 *
 * Every file is replaced as a whole (see writeWholeFile), so a reader in another process never sees half
 * a manifest. Comparing versions is atomic among the calls of one store; a second writing process is not
 * expected, since the embedded storage beside it already refuses one. A file that is damaged all the same
 * counts as missing and is reported: the writer then projects it again from the log.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { MAX_ARTIFACT_BYTES, MAX_HEAD_BYTES, MAX_PACKED_ARTIFACT_BYTES } from '@switchyard/contracts'
import { removeStaleTemporaries, syncDirectory, writeWholeFile } from '@switchyard/files'
import { makeFolder } from '@switchyard/service-kit/make-folder'
import { checkArtifact, checkHash } from '../store/artifact.ts'
import type { ConfigStore, GraphKey, ManifestVersion, StoredManifest } from '../store/config-store.ts'
import { ConfigStoreError, ConfigStoreUnavailableError } from '../store/errors.ts'
import { hashUnpacked } from '../store/hash-unpacked.ts'
import { MAX_HISTORY_FILE_BYTES, MAX_MANIFEST_FILE_BYTES } from '../store/limits.ts'
import { compareVersions, extendHistory } from '../store/manifest-version.ts'
import { type GraphPaths, graphPaths } from './paths.ts'
import { formatHistory, formatManifest, parseHistory, parseManifest } from './stored-files.ts'
import { FileTooLargeError, readBounded } from './read-bounded.ts'

/** Write options for files that may be missing. */
const UNSYNCED = { sync: 'nothing' } as const

const ARTIFACT_FILE = /^([0-9a-f]{64})\.gz$/

export type DirectoryConfigStoreOptions = {
  readonly directory: string
  /** Called for files that are damaged and therefore count as missing. */
  readonly onCorruption?: (path: string, problem: string) => void
}

/** Opens, or creates, the config store of a directory. Throws ConfigStoreUnavailableError. */
export async function openDirectoryConfigStore({
  directory,
  onCorruption = () => {},
}: DirectoryConfigStoreOptions): Promise<ConfigStore> {
  const root = resolve(directory)
  await available(root, () => makeFolder(root, { mode: 0o700 }))
  return new DirectoryConfigStore(root, onCorruption)
}

class DirectoryConfigStore implements ConfigStore {
  readonly #root: string
  readonly #onCorruption: (path: string, problem: string) => void
  /** The last write per graph directory; the next one waits for it. */
  readonly #writes = new Map<string, Promise<unknown>>()
  readonly #prepared = new Set<string>()
  /** Artifact files found whole, by path, with the time and size they had. */
  readonly #whole = new Map<string, string>()
  #disposed = false

  constructor(root: string, onCorruption: (path: string, problem: string) => void) {
    this.#root = root
    this.#onCorruption = onCorruption
  }

  getManifest(graph: GraphKey): Promise<StoredManifest | null> {
    return this.#using(graph, (paths) => this.#readManifest(paths))
  }

  putManifest(graph: GraphKey, manifest: StoredManifest): Promise<'written' | 'older'> {
    return this.#writing(graph, async (paths) => {
      const current = await this.#readManifest(paths)
      if (current !== null && compareVersions(manifest.version, current.version) <= 0) return 'older'
      await this.#write(paths, manifest)
      return 'written'
    })
  }

  replaceManifest(graph: GraphKey, manifest: StoredManifest): Promise<void> {
    return this.#writing(graph, (paths) => this.#write(paths, manifest))
  }

  getHead(graph: GraphKey): Promise<string | null> {
    return this.#using(
      graph,
      async ({ head }) => (await this.#readWhole(head, MAX_HEAD_BYTES))?.toString('utf8') ?? null,
    )
  }

  putHead(graph: GraphKey, head: string): Promise<void> {
    // Soon to be replaced: what a power cut takes of it is written again.
    return this.#writing(graph, (paths) => writeWholeFile(paths.head, head, UNSYNCED))
  }

  history(graph: GraphKey, limit: number): Promise<readonly ManifestVersion[]> {
    return this.#using(graph, async (paths) => (await this.#readHistory(paths)).slice(0, limit))
  }

  getArtifact(graph: GraphKey, sha256: string): Promise<Uint8Array | null> {
    return this.#using(graph, (paths) => this.#readArtifact(artifactPath(paths, sha256)))
  }

  putArtifact(graph: GraphKey, sha256: string, gzipped: Uint8Array): Promise<void> {
    return this.#writing(graph, async (paths) => {
      checkArtifact(sha256, gzipped)
      await writeWholeFile(artifactPath(paths, sha256), gzipped)
    })
  }

  hasArtifact(graph: GraphKey, sha256: string): Promise<boolean> {
    return this.#using(graph, async (paths) => {
      const path = artifactPath(paths, sha256)
      const stamp = await stampOf(path)
      if (stamp === null) return false
      return this.#whole.get(path) === stamp || (await this.#readArtifact(path)) !== null
    })
  }

  listArtifacts(graph: GraphKey): Promise<readonly { readonly sha256: string; readonly storedAt: number }[]> {
    return this.#using(graph, async (paths) => {
      const names = await orMissing(readdir(paths.artifacts))
      const found: { readonly sha256: string; readonly storedAt: number }[] = []
      for (const name of names ?? []) {
        const sha256 = ARTIFACT_FILE.exec(name)?.[1]
        if (sha256 === undefined) continue
        const file = await orMissing(stat(join(paths.artifacts, name)))
        if (file !== null) found.push({ sha256, storedAt: Math.floor(file.mtimeMs) })
      }
      return found
    })
  }

  deleteArtifact(graph: GraphKey, sha256: string): Promise<void> {
    return this.#writing(graph, async (paths) => {
      const path = artifactPath(paths, sha256)
      this.#whole.delete(path)
      await rm(path, { force: true })
    })
  }

  async ping(): Promise<void> {
    this.#checkOpen()
    await available(this.#root, () => readdir(this.#root))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    await Promise.allSettled(this.#writes.values())
  }

  async #write(paths: GraphPaths, manifest: StoredManifest): Promise<void> {
    const history = await this.#readHistory(paths)
    await writeWholeFile(paths.manifest, formatManifest(manifest))
    // Nothing is served by it, and routers wait: what a power cut takes of it is only known no more.
    await writeWholeFile(paths.history, formatHistory(extendHistory(history, manifest.version)), UNSYNCED)
  }

  /**
   * The history file is written after the manifest, so after a crash between the two it lacks the newest
   * version.
   */
  async #readHistory(paths: GraphPaths): Promise<readonly ManifestVersion[]> {
    const listed = (await this.#readParsed(paths.history, MAX_HISTORY_FILE_BYTES, parseHistory)) ?? []
    const current = await this.#readManifest(paths)
    return current === null ? listed : extendHistory(listed, current.version)
  }

  #readManifest({ manifest }: GraphPaths): Promise<StoredManifest | null> {
    return this.#readParsed(manifest, MAX_MANIFEST_FILE_BYTES, parseManifest)
  }

  async #readParsed<Value>(
    path: string,
    limit: number,
    parse: (text: Buffer) => Value | null,
  ): Promise<Value | null> {
    const text = await this.#readWhole(path, limit)
    if (text === null) return null
    const value = parse(text)
    if (value === null) this.#onCorruption(path, 'truncated or not in the expected form')
    return value
  }

  /** Null when it is not there, or larger than it can be. */
  async #readWhole(path: string, limit: number): Promise<Buffer | null> {
    try {
      return await readBounded(path, limit)
    } catch (error) {
      if (!(error instanceof FileTooLargeError)) throw error
      this.#onCorruption(path, error.message)
      return null
    }
  }

  /**
   * The bytes of an artifact file that is whole: gzip carries a checksum, and unpacking runs off the event
   * loop.
   */
  async #readArtifact(path: string): Promise<Uint8Array | null> {
    const stamp = await stampOf(path)
    const bytes = await this.#readWhole(path, MAX_PACKED_ARTIFACT_BYTES)
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

  async #using<Value>(graph: GraphKey, action: (paths: GraphPaths) => Promise<Value>): Promise<Value> {
    this.#checkOpen()
    const paths = graphPaths(this.#root, graph)
    return available(this.#root, () => action(paths))
  }

  /** Runs writes to one graph one after the other: that makes compare-and-replace atomic. */
  async #writing<Value>(graph: GraphKey, action: (paths: GraphPaths) => Promise<Value>): Promise<Value> {
    this.#checkOpen()
    const paths = graphPaths(this.#root, graph)
    const earlier = this.#writes.get(paths.directory) ?? Promise.resolve()
    const write = earlier
      .catch(() => {})
      .then(() =>
        available(this.#root, async () => {
          await this.#prepare(paths)
          return action(paths)
        }),
      )
    this.#writes.set(paths.directory, write)
    return write
  }

  async #prepare(paths: GraphPaths): Promise<void> {
    if (this.#prepared.has(paths.directory)) return
    await makeFolder(paths.artifacts, { mode: 0o700 })
    for (
      let directory = paths.directory;
      directory.startsWith(this.#root);
      directory = join(directory, '..')
    ) {
      await syncDirectory(directory)
    }
    await removeStaleTemporaries(paths.directory)
    await removeStaleTemporaries(paths.artifacts)
    this.#prepared.add(paths.directory)
  }

  #checkOpen(): void {
    if (this.#disposed) throw new ConfigStoreUnavailableError('it was closed')
  }
}

function artifactPath(paths: GraphPaths, sha256: string): string {
  checkHash(sha256)
  return join(paths.artifacts, `${sha256}.gz`)
}

async function stampOf(path: string): Promise<string | null> {
  const file = await orMissing(stat(path))
  return file === null ? null : `${file.ino} ${file.mtimeMs} ${file.size}`
}

/** Null instead of an error for a file that is not there. */
async function orMissing<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * Runs `action`, and turns what the file system refuses (no space, no permission, a failing disk) into an
 * error that says that the store cannot be used.
 */
async function available<Value>(root: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof ConfigStoreError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigStoreUnavailableError(`directory ${root}: ${reason}`, error)
  }
}

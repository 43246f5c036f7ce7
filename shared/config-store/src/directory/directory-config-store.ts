/**
 * The config store of one machine: a directory that one process writes and any number of routers read.
 *
 * Every file is replaced as a whole (see writeWholeFile), so a reader in another process never sees half
 * a manifest. Comparing versions is atomic among the calls of one store; a second writing process is not
 * expected, since the embedded storage beside it already refuses one. A file that is damaged all the same
 * counts as missing and is reported: the writer then projects it again from the log.
 */
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { MAX_HEAD_BYTES } from '@switchyard/contracts'
import { removeStaleTemporaries, syncDirectory, writeWholeFile } from '@switchyard/files'
import { makeFolder } from '@switchyard/service-kit/make-folder'
import type {
  ConfigStore,
  GraphKey,
  ListedHash,
  ManifestVersion,
  StoredManifest,
} from '../store/config-store.ts'
import { ConfigStoreError, ConfigStoreUnavailableError } from '../store/errors.ts'
import { compareVersions, extendHistory } from '../store/manifest-version.ts'
import { GraphFiles } from './graph-files.ts'
import { PackedFiles } from './packed-files.ts'
import { type GraphPaths, graphPaths } from './paths.ts'
import { formatHistory, formatManifest } from './stored-files.ts'

/** Write options for files that may be missing. */
const UNSYNCED = { sync: 'nothing' } as const

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
  readonly #files: GraphFiles
  readonly #packed: PackedFiles
  /** The last write per graph directory; the next one waits for it. */
  readonly #writes = new Map<string, Promise<unknown>>()
  readonly #prepared = new Set<string>()
  #disposed = false

  constructor(root: string, onCorruption: (path: string, problem: string) => void) {
    this.#root = root
    this.#files = new GraphFiles(onCorruption)
    this.#packed = new PackedFiles(onCorruption)
  }

  getManifest(graph: GraphKey): Promise<StoredManifest | null> {
    return this.#using(graph, (paths) => this.#files.manifest(paths))
  }

  putManifest(graph: GraphKey, manifest: StoredManifest): Promise<'written' | 'older'> {
    return this.#writing(graph, async (paths) => {
      const current = await this.#files.manifest(paths)
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
      async ({ head }) => (await this.#files.whole(head, MAX_HEAD_BYTES))?.toString('utf8') ?? null,
    )
  }

  putHead(graph: GraphKey, head: string): Promise<void> {
    // Soon to be replaced: what a power cut takes of it is written again.
    return this.#writing(graph, (paths) => writeWholeFile(paths.head, head, UNSYNCED))
  }

  history(graph: GraphKey, limit: number): Promise<readonly ManifestVersion[]> {
    return this.#using(graph, async (paths) => (await this.#files.history(paths)).slice(0, limit))
  }

  getArtifact(graph: GraphKey, sha256: string): Promise<Uint8Array | null> {
    return this.#using(graph, ({ artifacts }) => this.#packed.read(artifacts, sha256))
  }

  putArtifact(graph: GraphKey, sha256: string, gzipped: Uint8Array): Promise<void> {
    return this.#writing(graph, ({ artifacts }) => this.#packed.put(artifacts, sha256, gzipped))
  }

  hasArtifact(graph: GraphKey, sha256: string): Promise<boolean> {
    return this.#using(graph, ({ artifacts }) => this.#packed.has(artifacts, sha256))
  }

  listArtifacts(graph: GraphKey): Promise<readonly ListedHash[]> {
    return this.#using(graph, ({ artifacts }) => this.#packed.list(artifacts))
  }

  deleteArtifact(graph: GraphKey, sha256: string): Promise<void> {
    return this.#writing(graph, ({ artifacts }) => this.#packed.delete(artifacts, sha256))
  }

  getPiece(graph: GraphKey, sha256: string): Promise<Uint8Array | null> {
    return this.#using(graph, ({ pieces }) => this.#packed.read(pieces, sha256))
  }

  putPieces(graph: GraphKey, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    return this.#writing(graph, ({ pieces }) => this.#packed.putAllUnsynced(pieces, files))
  }

  renewPieces(graph: GraphKey, sha256s: Iterable<string>): Promise<readonly string[]> {
    return this.#writing(graph, ({ pieces }) => this.#packed.renew(pieces, sha256s))
  }

  listPieces(graph: GraphKey): Promise<readonly ListedHash[]> {
    return this.#using(graph, ({ pieces }) => this.#packed.list(pieces))
  }

  deletePiece(graph: GraphKey, sha256: string, storedBefore: number): Promise<void> {
    return this.#writing(graph, ({ pieces }) => this.#packed.delete(pieces, sha256, storedBefore))
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
    const history = await this.#files.history(paths)
    await writeWholeFile(paths.manifest, formatManifest(manifest))
    // Nothing is served by it, and routers wait: what a power cut takes of it is only known no more.
    await writeWholeFile(paths.history, formatHistory(extendHistory(history, manifest.version)), UNSYNCED)
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
    const folders = [paths.artifacts, paths.pieces]
    for (const folder of folders) await makeFolder(folder, { mode: 0o700 })
    for (
      let directory = paths.directory;
      directory.startsWith(this.#root);
      directory = join(directory, '..')
    ) {
      await syncDirectory(directory)
    }
    for (const folder of [paths.directory, ...folders]) await removeStaleTemporaries(folder)
    this.#prepared.add(paths.directory)
  }

  #checkOpen(): void {
    if (this.#disposed) throw new ConfigStoreUnavailableError('it was closed')
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

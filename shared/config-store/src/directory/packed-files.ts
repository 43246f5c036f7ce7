/**
 * Gzipped files that are named by the hash of what they unpack to: the artifacts of graphs, or pieces of
 * them. The store runs the writes to one graph in turn, so that nothing changes between a check and what
 * follows from it.
 */
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_ARTIFACT_BYTES, MAX_PACKED_ARTIFACT_BYTES } from '@switchyard/contracts'
import { writeWholeFile } from '@switchyard/files'
import { checkArtifact, checkHash } from '../store/artifact.ts'
import { batchesOf } from '../store/batches.ts'
import type { ListedHash } from '../store/config-store.ts'
import { hashUnpacked } from '../store/hash-unpacked.ts'
import { MAX_LISTED } from '../store/limits.ts'
import { orMissing } from './or-missing.ts'
import { readOrReport } from './read-bounded.ts'

const FILE = /^([0-9a-f]{64})\.gz$/
/** Files that are written, or looked at, at a time. */
const AT_A_TIME = 16
/**
 * Milliseconds by which the time of a file may be behind its last renewal, which is remembered. Hundreds of
 * files are renewed again and again, and to write all their times would keep an idle disk busy.
 */
const TIME_BEHIND_MS = 10 * 60 * 1000

type FileState = {
  readonly mtimeMs: number
  /** Equal as long as nobody wrote to the file. */
  readonly stamp: string
  /** Equal as long as it has the same bytes; its time may be another one. */
  readonly content: string
}

export class PackedFiles {
  readonly #onCorruption: (path: string, problem: string) => void
  /** The stamps of files found whole, by path. */
  readonly #whole = new Map<string, string>()
  /** Unix milliseconds of the last renewals, by path. */
  readonly #renewedAt = new Map<string, number>()

  constructor(onCorruption: (path: string, problem: string) => void) {
    this.#onCorruption = onCorruption
  }

  /**
   * Reads a file. Null if it is missing or damaged: gzip carries a checksum, and unpacking runs off the event
   * loop.
   */
  async read(folder: string, sha256: string): Promise<Uint8Array | null> {
    const path = pathOf(folder, sha256)
    const state = await this.#stateOf(path)
    return state === null ? null : this.#readWhole(path, state)
  }

  /** Tells whether a file is there and whole. Reads it only if it has changed. */
  async has(folder: string, sha256: string): Promise<boolean> {
    return (await this.#wholeState(pathOf(folder, sha256))) !== null
  }

  async put(folder: string, sha256: string, gzipped: Uint8Array): Promise<void> {
    checkArtifact(sha256, gzipped)
    await writeWholeFile(pathOf(folder, sha256), gzipped)
  }

  /** Writes many files. A power cut may lose or damage them, which is found when they are read. */
  async putAllUnsynced(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [sha256, gzipped] of files) checkArtifact(sha256, gzipped)
    const write = ([sha256, gzipped]: readonly [string, Uint8Array]) =>
      writeWholeFile(pathOf(folder, sha256), gzipped, { sync: 'nothing' })
    for (const batch of batchesOf(files, AT_A_TIME)) await Promise.all(batch.map(write))
  }

  /** Makes the files that are there count as stored now. Returns the hashes of those that are not there. */
  async renew(folder: string, sha256s: Iterable<string>): Promise<readonly string[]> {
    const missing: string[] = []
    const renew = async (sha256: string): Promise<void> => {
      if (!(await this.#renew(pathOf(folder, sha256)))) missing.push(sha256)
    }
    for (const batch of batchesOf(new Set(sha256s), AT_A_TIME)) await Promise.all(batch.map(renew))
    return missing
  }

  /** The oldest first. */
  async list(folder: string): Promise<readonly ListedHash[]> {
    const found: ListedHash[] = []
    for (const name of (await orMissing(readdir(folder))) ?? []) {
      const sha256 = FILE.exec(name)?.[1]
      if (sha256 === undefined) continue
      const path = join(folder, name)
      const state = await this.#stateOf(path)
      if (state !== null) found.push({ sha256, storedAt: this.#storedAt(path, state) })
    }
    return found.sort((a, b) => a.storedAt - b.storedAt).slice(0, MAX_LISTED)
  }

  /** Deletes a file only if it was neither stored nor renewed at `storedBefore` (Unix ms) or later. */
  async delete(folder: string, sha256: string, storedBefore = Infinity): Promise<void> {
    const path = pathOf(folder, sha256)
    const state = await this.#stateOf(path)
    if (state === null || this.#storedAt(path, state) >= storedBefore) return
    this.#forget(path)
    await rm(path, { force: true })
  }

  async #renew(path: string): Promise<boolean> {
    const state = await this.#wholeState(path)
    if (state === null) return false
    const now = new Date()
    this.#renewedAt.set(path, now.getTime())
    if (now.getTime() - state.mtimeMs <= TIME_BEHIND_MS) return true
    await orMissing(utimes(path, now, now))
    const renewed = await this.#stateOf(path)
    if (renewed?.content === state.content) this.#whole.set(path, renewed.stamp)
    return renewed !== null
  }

  /** Null if the file is missing or damaged. */
  async #wholeState(path: string): Promise<FileState | null> {
    const state = await this.#stateOf(path)
    if (state === null || this.#whole.get(path) === state.stamp) return state
    return (await this.#readWhole(path, state)) === null ? null : state
  }

  async #readWhole(path: string, { stamp }: FileState): Promise<Uint8Array | null> {
    const bytes = await readOrReport(path, MAX_PACKED_ARTIFACT_BYTES, this.#onCorruption)
    if (bytes === null) return null
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

  #storedAt(path: string, { mtimeMs }: FileState): number {
    return Math.max(Math.floor(mtimeMs), this.#renewedAt.get(path) ?? 0)
  }

  async #stateOf(path: string): Promise<FileState | null> {
    const file = await orMissing(stat(path))
    if (file === null) {
      this.#forget(path)
      return null
    }
    const content = `${file.ino} ${file.size}`
    return { mtimeMs: file.mtimeMs, stamp: `${content} ${file.mtimeMs}`, content }
  }

  #forget(path: string): void {
    this.#whole.delete(path)
    this.#renewedAt.delete(path)
  }
}

function pathOf(folder: string, sha256: string): string {
  checkHash(sha256)
  return join(folder, `${sha256}.gz`)
}

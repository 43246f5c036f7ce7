/**
 * The artifacts of a last-known-good copy, and the lists and chunks of those that are in pieces: a folder
 * with one gzipped file per hash. One router writes it.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FileTooLargeError, hashUnpacked, readBounded } from '@switchyard/config-store'
import { writeWholeFile } from '@switchyard/files'
import { MAX_ARTIFACT_BYTES, MAX_PACKED_ARTIFACT_BYTES } from '@switchyard/contracts'
import { makeFolder } from '@switchyard/service-kit/make-folder'
import pMap from 'p-map'

const AT_A_TIME = 16
const NAME = /^([0-9a-f]{64})\.gz$/

/** The artifacts in one folder. */
export class KeptArtifacts {
  readonly #directory: string
  /** Hashes of files that this process wrote or checked. Files from before are not trusted. */
  readonly #whole = new Set<string>()

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Null if there is no such file. The bytes are unchecked. Throws FileTooLargeError. */
  read(sha256: string): Promise<Buffer | null> {
    return readBounded(this.#pathOf(sha256), MAX_PACKED_ARTIFACT_BYTES)
  }

  /** Whether there is a file with the bytes that have the hash. */
  async isWhole(sha256: string): Promise<boolean> {
    if (this.#whole.has(sha256)) return true
    const bytes = await this.read(sha256).catch(nullIfTooLarge)
    if (bytes === null) return false
    const isWhole = (await hashUnpacked(bytes, MAX_ARTIFACT_BYTES).catch(() => null)) === sha256
    if (isWhole) this.#whole.add(sha256)
    return isWhole
  }

  /** Resolves when all are on disk. Those that are there already are not written again. */
  async add(artifacts: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const present = await this.#files()
    const missing = [...artifacts].filter(([sha256]) => {
      return !this.#whole.has(sha256) || !present.has(`${sha256}.gz`)
    })
    if (missing.length === 0) return
    await makeFolder(this.#directory, { mode: 0o700 })
    const add = async ([sha256, gzipped]: readonly [string, Uint8Array]) => {
      const before = await this.read(sha256).catch(nullIfTooLarge)
      if (before?.equals(gzipped) !== true) await writeWholeFile(this.#pathOf(sha256), gzipped)
      this.#whole.add(sha256)
    }
    await pMap(missing, add, { concurrency: AT_A_TIME })
  }

  /** Removes all other files, and what interrupted writes have left. */
  async sweep(kept: ReadonlySet<string>): Promise<void> {
    for (const name of await this.#files()) {
      const sha256 = NAME.exec(name)?.[1]
      if (sha256 !== undefined && kept.has(sha256)) continue
      if (sha256 !== undefined) this.#whole.delete(sha256)
      await rm(join(this.#directory, name), { force: true })
    }
  }

  async #files(): Promise<ReadonlySet<string>> {
    return new Set((await nullIfMissing(readdir(this.#directory))) ?? [])
  }

  #pathOf(sha256: string): string {
    return join(this.#directory, `${sha256}.gz`)
  }
}

/** A file that this process has not written or checked is written again. */
export function nullIfTooLarge(error: unknown): null {
  if (error instanceof FileTooLargeError) return null
  throw error
}

async function nullIfMissing<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * Keeps on disk which feature flags are in use, beside the last-known-good copy, for the next start of this
 * router. Nothing depends on the file but the order in which flags are compiled, so one that is damaged
 * counts as missing.
 */
import { join } from 'node:path'
import { type GraphKey, readBounded } from '@switchyard/config-store'
import { MOST_FLAGS_IN_USE, MOST_FLAGS_IN_USE_TEXT } from '@switchyard/contracts'
import { writeWholeFile } from '@switchyard/files'
import { makeFolder } from '@switchyard/service-kit/make-folder'
import { z } from 'zod'
import { copyNameOf } from '../copy/copy-name.ts'
import type { FlagUse } from '../../flags/flag-use.ts'

const WRITTEN_EVERY_MS = 30_000
const MAX_FILE_BYTES = 4 * MOST_FLAGS_IN_USE_TEXT

const File = z.object({ formatVersion: z.literal(1), flagsInUse: z.array(z.string()).max(MOST_FLAGS_IN_USE) })

export type FlagUseFileOptions = {
  /** The directory of the last-known-good copies. */
  readonly directory: string
  readonly flagUse: FlagUse
  readonly onNotWritten: (error: unknown) => void
}

/** The file of one graph, which is written while the router runs, and when it stops. */
export class FlagUseFile implements AsyncDisposable {
  readonly #options: FlagUseFileOptions
  #path: string | null = null
  #timer: NodeJS.Timeout | null = null
  #written = '[]'
  #writing: Promise<void> = Promise.resolve()

  constructor(options: FlagUseFileOptions) {
    this.#options = options
  }

  /** Resolves with the flags that were in use before, the most recent one first. Called once. */
  async open(graph: GraphKey): Promise<readonly string[]> {
    const { directory } = this.#options
    this.#path = join(directory, `${copyNameOf(graph)}.flags.json`)
    const flags = await readFlags(this.#path)
    this.#written = JSON.stringify([...flags].sort())
    this.#timer = setInterval(() => this.#write(), WRITTEN_EVERY_MS).unref()
    return flags
  }

  #write(): void {
    const { flagUse, directory, onNotWritten } = this.#options
    const [path, flagsInUse] = [this.#path, flagUse.told]
    const flags = JSON.stringify([...flagsInUse].sort())
    if (path === null || flags === this.#written) return
    this.#written = flags
    const file: z.infer<typeof File> = { formatVersion: 1, flagsInUse: [...flagsInUse] }
    const write = async () => {
      await makeFolder(directory, { mode: 0o700 })
      await writeWholeFile(path, Buffer.from(JSON.stringify(file)))
    }
    this.#writing = this.#writing.then(write).catch(onNotWritten)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#write()
    await this.#writing
  }
}

async function readFlags(path: string): Promise<readonly string[]> {
  try {
    const bytes = await readBounded(path, MAX_FILE_BYTES)
    return bytes === null ? [] : File.parse(JSON.parse(bytes.toString('utf8'))).flagsInUse
  } catch {
    return []
  }
}

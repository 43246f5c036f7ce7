/**
 * Files that are there whole or not at all.
 *
 * The new content is written to a temporary file beside the old one, which is then renamed over it. So every
 * reader finds the old content or the new one, and nothing between.
 */
import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const TEMPORARY = /^\..+\.[0-9a-f-]{36}\.tmp$/
const STALE_AFTER_MS = 3_600_000

/**
 * Replaces a file by the one that `make` writes at the path it is given, and returns what `make` returns. If
 * something throws, the old file stays as it was and the temporary one is removed.
 */
export async function replaceFile<Result>(
  path: string,
  make: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
  try {
    const result = await make(temporary)
    await rename(temporary, path)
    return result
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** How a file is written. */
export type WholeFileOptions = {
  /** Permissions, less what the umask takes; 0600 unless told. */
  readonly mode?: number
  /**
   * The writes that are waited for until they are on the disk. After a power cut the file has the new content
   * with `directory`, the old or the new content with `file`, and perhaps no content with `nothing`. The
   * default is `directory`.
   */
  readonly sync?: 'directory' | 'file' | 'nothing'
}

/** Replaces the content of a file, or makes the file. */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, sync = 'directory' }: WholeFileOptions = {},
): Promise<void> {
  await replaceFile(path, async (temporary) => {
    await using file = await open(temporary, 'wx', mode)
    await file.writeFile(content)
    if (sync !== 'nothing') await file.sync()
  })
  if (sync === 'directory') await syncDirectory(dirname(path))
}

/** Renames and new files last through a power cut only when their directory was synced too. */
export async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory, 'r')
  await handle.sync()
}

/** Removes what writers that were killed left behind. An hour is far longer than any write takes. */
export async function removeStaleTemporaries(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!TEMPORARY.test(name)) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > STALE_AFTER_MS) await rm(path, { force: true })
  }
}

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const TEMPORARY = /^\..+\.[0-9a-f-]{36}\.tmp$/
const STALE_AFTER_MS = 3_600_000

/**
 * Replaces a file so that every reader, and every restart after a power cut, finds the old content or the new
 * one and nothing between: write beside it, sync, rename, sync the directory.
 */
export async function writeFileAtomically(path: string, bytes: Uint8Array): Promise<void> {
  await replaceFile(path, bytes, async (file) => file.sync())
  await syncDirectory(dirname(path))
}

/** The same without waiting for the disk: a power cut may leave an empty file. For what can be missing. */
export async function writeFileUnsynced(path: string, bytes: Uint8Array): Promise<void> {
  await replaceFile(path, bytes, async () => {})
}

async function replaceFile(
  path: string,
  bytes: Uint8Array,
  written: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const directory = dirname(path)
  const temporary = join(directory, `.${path.slice(directory.length + 1)}.${randomUUID()}.tmp`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await written(file)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Renames and new files last through a power cut only when their directory was synced too. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
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

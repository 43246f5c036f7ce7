/**
 * Makes a folder, and those above it that are missing.
 *
 * `mkdir` with `recursive` is not used. Where a file system answers ENOENT to the making of a folder whose
 * parent exists, as `/proc` does, Node.js tries for ever, in a thread that cannot be stopped (seen on 20.20
 * and 26.10).
 */
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

export type FolderOptions = {
  /** Permissions of every folder that is made, less what the umask takes. */
  readonly mode?: number
}

export async function makeFolder(path: string, { mode = 0o777 }: FolderOptions = {}): Promise<void> {
  const folder = resolve(path)
  if (await isFolder(folder)) return
  const parent = dirname(folder)
  await makeFolder(parent, { mode })
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (codeOf(error) === 'EEXIST' && (await isFolder(folder))) return
    if (codeOf(error) !== 'ENOENT') throw error
    throw new Error(`${parent} is there but takes no new folders (${String(error)})`, { cause: error })
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false
    throw error
  }
  throw new Error(`${path} is there, and is no folder`)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

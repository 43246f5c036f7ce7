/** A file that is there whole or not at all: written beside its place, forced to disk, then renamed over the old one. */
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { FileError } from '../errors.ts'

export async function writeFileAtomically(path: string, text: string, shownAs: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx')
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    const reason = error instanceof Error ? error.message : String(error)
    throw new FileError(`${shownAs} cannot be written: ${reason}`, { cause: error })
  }
}

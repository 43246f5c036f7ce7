/**
 * Files that are there whole or not at all: one cut short by a crash would keep every later start from
 * working.
 */
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  await replace(file, async (temporary) => {
    await using handle = await open(temporary, 'wx', mode)
    await handle.writeFile(text)
    await handle.sync()
  })
}

/** `write` gets the path of the new file. */
export async function replace(file: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await write(temporary)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

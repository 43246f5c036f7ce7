/** Writes the files that a command was told to write, each of them whole or not at all. */
import { open } from 'node:fs/promises'
import { replaceFile as replaceWholeFile } from '@switchyard/files'
import { messageOf } from '@switchyard/values'
import { FileError } from '../run/errors.ts'

/** Throws a FileError; then the old file is as it was. */
export async function writeFileAtomically(path: string, text: string, shownAs: string): Promise<void> {
  await replaceFile({ path, shownAs }, (write) => write(text))
}

/** Which file is replaced. */
export type ReplacedFile = {
  readonly path: string
  /** The path as the user wrote it. */
  readonly shownAs: string
  /** Permissions, less what the umask takes. */
  readonly mode?: number
}

/**
 * Replaces a file. The old one stays if `fill` throws. Throws a FileError if the new one cannot be written.
 */
export async function replaceFile<Result>(
  { path, shownAs, mode = 0o666 }: ReplacedFile,
  fill: (write: (data: string | Uint8Array) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const unwritable = (error: unknown): never => {
    throw new FileError(`${shownAs} ${whyUnwritable(error)}`, { cause: error })
  }
  let isFilling = false
  try {
    return await replaceWholeFile(path, async (temporary) => {
      const handle = await open(temporary, 'wx', mode)
      try {
        isFilling = true
        const result = await fill((data) => handle.writeFile(data).catch(unwritable))
        isFilling = false
        await handle.sync()
        return result
      } finally {
        await handle.close()
      }
    })
  } catch (error) {
    if (isFilling) throw error
    return unwritable(error)
  }
}

function whyUnwritable(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EISDIR':
      return 'is a folder; name the file that is to be written.'
    case 'ENOENT':
    case 'ENOTDIR':
      return 'cannot be written: the folder that it would be in does not exist.'
    default:
      return `cannot be written: ${messageOf(error)}`
  }
}

/**
 * A file that is there whole or not at all: written beside its place, forced to disk, then renamed over the
 * old one.
 */
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { FileError, messageOf } from './errors.ts'

/** Throws a FileError; then the old file is as it was. */
export async function writeFileAtomically(path: string, text: string, shownAs: string): Promise<void> {
  await replaceFile({ path, shownAs }, (write) => write(text))
}

/** Which file is replaced. */
export type ReplacedFile = {
  readonly path: string
  /** As the user named it. */
  readonly shownAs: string
  /** Permissions, less what the umask takes. */
  readonly mode?: number
}

/** When `fill` throws, the old file stays. Throws a FileError when the new one cannot be written. */
export async function replaceFile<Result>(
  { path, shownAs, mode = 0o666 }: ReplacedFile,
  fill: (write: (data: string | Uint8Array) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const unwritable = (error: unknown): never => {
    throw new FileError(`${shownAs} ${whyUnwritable(error)}`, { cause: error })
  }
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx', mode).catch(unwritable)
    let result: Result
    try {
      result = await fill((data) => handle.writeFile(data).catch(unwritable))
      await handle.sync().catch(unwritable)
    } finally {
      await handle.close()
    }
    await rename(temporary, path).catch(unwritable)
    return result
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
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

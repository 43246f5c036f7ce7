/**
 * Files named by the user: found from the folder the user is in, refused with the reason when they cannot be
 * used.
 */
import { constants } from 'node:buffer'
import { access, constants as files, readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MAX_SDL_BYTES } from '@switchyard/contracts'
import type { CliContext } from '../run/context.ts'
import { FileError, Interrupted, LocalRefusal, type FileProblem } from '../run/errors.ts'

/** Bytes. */
const LONGEST = constants.MAX_STRING_LENGTH

/**
 * `what` is what the file should be, for the message: `schema file`. `named` says where it is named when that
 * is in a file.
 */
export type NamedFile = {
  readonly path: string
  readonly what: string
  readonly named?: Omit<FileProblem, 'message'>
}

/** The text of a file that must exist, hold UTF-8, not be empty, and fit into a string (512 MiB). */
export async function readTextFile(file: NamedFile, cwd: string): Promise<string> {
  const unusable = (why: string, cause?: unknown): FileError => {
    const message = `The ${file.what} ${file.path} ${why}.`
    if (file.named === undefined) return new FileError(message, { cause })
    const { line, column } = file.named
    const places = [{ ...file.named, message }]
    return new FileError(`${file.named.file}:${line}:${column}: ${message}`, { cause, places })
  }
  const full = resolve(cwd, file.path)
  const unreadable = (error: unknown): never => {
    throw unusable(whyUnreadable(error), error)
  }
  const { size } = await stat(full).catch(unreadable)
  if (size > LONGEST) throw unusable(`has ${size} bytes; at most ${LONGEST} can be read`)
  return textOf(await readFile(full).catch(unreadable), unusable)
}

function textOf(bytes: Uint8Array, unusable: (why: string, cause?: unknown) => FileError): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw unusable('is not UTF-8 text', error)
  }
  if (text.trim() === '') throw unusable('is empty')
  return text
}

/**
 * The absolute path of a file that is there, for a service, which starts in another folder. Throws a
 * FileError.
 */
export async function existingFile(path: string, what: string, { cwd }: CliContext): Promise<string> {
  const full = resolve(cwd, path)
  const unreadable = (error: unknown): never => {
    throw new FileError(`The ${what} ${path} ${whyUnreadable(error)}.`, { cause: error })
  }
  const found = await stat(full).catch(unreadable)
  if (found.isDirectory()) throw new FileError(`The ${what} ${path} is a folder.`)
  await access(full, files.R_OK).catch(unreadable)
  return full
}

/** `file` is absent when it came from standard input. */
export type GivenSchema = { readonly sdl: string; readonly file?: string }

/** SDL that parses, at most as large as the registry takes. `path` may be `-`: standard input. */
export async function readSchema(
  path: string,
  context: Pick<CliContext, 'cwd' | 'stdin' | 'signal'>,
): Promise<GivenSchema> {
  const given =
    path === '-'
      ? { sdl: await readPipedSchema(context) }
      : { sdl: await readTextFile({ path, what: 'schema file' }, context.cwd), file: path }
  const { sdl, file = '<stdin>' } = given
  refuseTooLarge(sdl, file)
  const { checkSdl } = await import('@switchyard/composition')
  const places = checkSdl(sdl).map((problem) => ({ file, ...problem }))
  if (places.length === 0) return given
  throw new LocalRefusal('SCHEMA_INVALID', `${file} is no valid schema; nothing was published.`, { places })
}

/** Reads a schema from standard input, up to the largest size of a schema, since input may be endless. */
async function readPipedSchema({ stdin, signal }: Pick<CliContext, 'stdin' | 'signal'>): Promise<string> {
  const bytes = await stdin.readAll(MAX_SDL_BYTES, signal).catch((error: unknown) => {
    if (!signal.aborted) throw new FileError('Standard input cannot be read.', { cause: error })
    throw new Interrupted('Interrupted; nothing was changed.')
  })
  if (bytes.length > MAX_SDL_BYTES) throw tooLarge('on standard input has more bytes than it may have')
  return textOf(bytes, (why, cause) => new FileError(`The schema on standard input ${why}.`, { cause }))
}

/** Throws a LocalRefusal for a schema that the registry would not take. `path` is for the message. */
export function refuseTooLarge(sdl: string, path: string): void {
  const bytes = Buffer.byteLength(sdl)
  if (bytes > MAX_SDL_BYTES) throw tooLarge(`file ${path} has ${bytes} bytes`)
}

function tooLarge(what: string): LocalRefusal {
  return new LocalRefusal(
    'PAYLOAD_TOO_LARGE',
    `The schema ${what}; a schema has at most ${MAX_SDL_BYTES} bytes (8 MiB).`,
  )
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist'
    case 'EISDIR':
      return 'is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read: permission denied'
    default:
      return `cannot be read (${typeof code === 'string' ? code : String(error)})`
  }
}

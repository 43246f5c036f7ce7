/** Which API key a command uses: the data directory named, the environment, or the one `up` left in this folder. */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CliContext } from '../context.ts'
import { FileError, LocalRefusal, UsageError } from '../errors.ts'

export const DEFAULT_DATA_DIR = '.switchyard'
export const API_KEY_FILE = 'api-key'

/** `from`: what to look at when the registry does not know the key. */
export type FoundApiKey = { readonly key: string; readonly from: string }

export async function findApiKey(
  context: Pick<CliContext, 'cwd' | 'env'>,
  dataDir: string | undefined,
): Promise<FoundApiKey> {
  if (dataDir !== undefined) {
    const path = join(resolve(context.cwd, dataDir), API_KEY_FILE)
    const key = await readKey(path)
    if (key !== null) return { key, from: path }
    throw new FileError(`There is no API key in ${path}; "switchyard up --data-dir ${dataDir}" writes one.`)
  }
  const given = context.env['SWITCHYARD_API_KEY']?.trim() ?? ''
  if (given !== '') {
    if (fitsInHeader(given)) return { key: given, from: 'SWITCHYARD_API_KEY' }
    throw new UsageError(
      'SWITCHYARD_API_KEY holds a space, a line break or another character that no API key has.',
    )
  }
  const usual = context.env['SWITCHYARD_DATA_DIR'] || DEFAULT_DATA_DIR
  const path = resolve(context.cwd, usual, API_KEY_FILE)
  const key = await readKey(path)
  if (key !== null) return { key, from: path }
  throw new LocalRefusal(
    'UNAUTHENTICATED',
    `No API key: set SWITCHYARD_API_KEY, run the command in the folder where "switchyard up" was started (it writes ${usual}/${API_KEY_FILE}), or name that data directory with --data-dir.`,
  )
}

async function readKey(path: string): Promise<string | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new FileError(`The API key file ${path} cannot be read: ${String(error)}`, { cause: error })
  }
  const key = text.trim()
  if (key === '') throw new FileError(`The API key file ${path} is empty.`)
  if (!fitsInHeader(key)) throw new FileError(`${path} holds something else than one API key.`)
  return key
}

function fitsInHeader(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key)
}

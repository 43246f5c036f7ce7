/**
 * Which registry a command asks, and with which API key: those that options name, the environment, or what
 * `up` left in the data directory of this folder.
 *
 * A key from the environment never goes to an address that a folder names: whoever runs a command in the
 * checkout of somebody else would hand it over.
 */
import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { missingScheme } from '@switchyard/contracts'
import type { CliContext } from '../run/context.ts'
import { FileError, LocalRefusal, UsageError } from '../run/errors.ts'

const DEFAULT_REGISTRY_URL = 'http://localhost:4100'

/** Where `switchyard up` keeps everything unless it is told otherwise, from the folder it is started in. */
export const DEFAULT_DATA_DIR = '.switchyard'
const API_KEY_FILE = 'api-key'
const KEY_VARIABLE = 'SWITCHYARD_API_KEY'
const ADDRESS_FILE = 'registry-url'

/** The options that say where the registry is. */
export type RegistryLocation = {
  readonly registryUrl?: string | undefined
  readonly dataDir?: string | undefined
}

/** An address, and who named it. */
export type RegistryAddress = {
  /** The origin, without a slash at the end. */
  readonly origin: string
  readonly from: 'option' | 'environment' | 'default' | { readonly file: string }
}

/**
 * A registry's address and the API key for it. `keyFrom` names the place of the key, for errors about the
 * key.
 */
export type FoundRegistry = {
  readonly address: RegistryAddress
  readonly key: string
  readonly keyFrom: string
  /** Finds the place of the key that would have been used without the first one. Null if there is none. */
  readonly otherKey: () => Promise<string | null>
}

/** Throws a CliError when no API key is found, or when the key or the address is wrong. */
export async function findRegistry(
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
  { registryUrl, dataDir }: RegistryLocation,
): Promise<FoundRegistry> {
  const named = registryUrl === undefined ? null : ({ origin: registryUrl, from: 'option' } as const)
  if (dataDir !== undefined) {
    const folder = resolve(cwd, dataDir)
    const address = named ?? (await addressIn(folder)) ?? addressInEnvironment(env) ?? BY_DEFAULT
    const keyFrom = join(folder, API_KEY_FILE)
    const key = await readWord(keyFrom, 'API key')
    const otherKey = async () => (givenKey(env) === '' ? null : KEY_VARIABLE)
    if (key !== null) return { address, key, keyFrom, otherKey }
    throw new FileError(
      `There is no API key in ${keyFrom}; "switchyard up --data-dir ${dataDir}" writes one.`,
    )
  }
  const stated = named ?? addressInEnvironment(env)
  const usual = env['SWITCHYARD_DATA_DIR'] || DEFAULT_DATA_DIR
  const folder = resolve(cwd, usual)
  const keyFrom = join(folder, API_KEY_FILE)
  const given = givenKey(env)
  if (given !== '') {
    if (isOneWord(given)) {
      const otherKey = () =>
        access(keyFrom).then(
          () => keyFrom,
          () => null,
        )
      return { address: stated ?? BY_DEFAULT, key: given, keyFrom: KEY_VARIABLE, otherKey }
    }
    throw new UsageError(
      'SWITCHYARD_API_KEY holds a space, a line break or another character that no API key has.',
    )
  }
  const key = await readWord(keyFrom, 'API key')
  if (key !== null) {
    const address = stated ?? (await addressIn(folder)) ?? BY_DEFAULT
    return { address, key, keyFrom, otherKey: async () => null }
  }
  throw new LocalRefusal(
    'UNAUTHENTICATED',
    `No API key: set SWITCHYARD_API_KEY, run the command in the folder where "switchyard up" was started (it writes ${usual}/${API_KEY_FILE}), or name that data directory with --data-dir.`,
  )
}

/** Which key was sent, for who is told that it is not good; never the key itself. */
export async function whereKeyIsFrom({ keyFrom, otherKey }: FoundRegistry): Promise<string> {
  const other = await otherKey()
  return other === null ? keyFrom : `${keyFrom} (the one in ${other} was not used)`
}

/** Returns advice for a user whose registry does not answer, or whose address is that of another service. */
export function whereAddressIsFrom({ from }: RegistryAddress): string {
  switch (from) {
    case 'option':
      return 'Is --registry-url right?'
    case 'environment':
      return 'Is SWITCHYARD_REGISTRY_URL right?'
    case 'default':
      return 'Is it running ("switchyard up")? Another address is named with --registry-url or SWITCHYARD_REGISTRY_URL.'
    default:
      return `The address is from ${from.file}, which "switchyard up" writes when it starts and removes when it stops: it was killed, or is not up yet. Start it again, or name another address with --registry-url.`
  }
}

function givenKey(env: CliContext['env']): string {
  return env[KEY_VARIABLE]?.trim() ?? ''
}

const BY_DEFAULT: RegistryAddress = { origin: DEFAULT_REGISTRY_URL, from: 'default' }

/** Throws a UsageError. */
export function parseRegistryUrl(name: string, text: string): string {
  const origin = originOf(text)
  if (origin !== null) return origin
  const missing = missingScheme(text)
  throw new UsageError(
    missing === null
      ? `${name} is "${text}"; an absolute http or https URL was expected.`
      : `${name} is "${text}": ${missing}`,
  )
}

function originOf(text: string): string | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : null
}

function addressInEnvironment(env: CliContext['env']): RegistryAddress | null {
  const text = env['SWITCHYARD_REGISTRY_URL']?.trim() ?? ''
  if (text === '') return null
  return { origin: parseRegistryUrl('SWITCHYARD_REGISTRY_URL', text), from: 'environment' }
}

async function addressIn(folder: string): Promise<RegistryAddress | null> {
  const file = join(folder, ADDRESS_FILE)
  const text = await readWord(file, 'address of a registry')
  if (text === null) return null
  const origin = originOf(text)
  if (origin === null) {
    const missing = missingScheme(text)
    throw new FileError(
      `${file} holds something else than the address of a registry${missing === null ? '.' : `: ${missing}`}`,
    )
  }
  return { origin, from: { file } }
}

/** Reads the one word of a file. Null if there is no such file. */
async function readWord(path: string, what: string): Promise<string | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new FileError(`The ${what} in ${path} cannot be read: ${String(error)}`, { cause: error })
  }
  const word = text.trim()
  if (word === '') throw new FileError(`${path} is empty; one ${what} was expected in it.`)
  if (!isOneWord(word)) throw new FileError(`${path} holds something else than one ${what}.`)
  return word
}

/** True if the text fits into a header. */
function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

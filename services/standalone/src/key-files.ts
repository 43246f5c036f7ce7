/**
 * The secrets of a data directory: made at the first start, kept from then on, readable by their owner only.
 */
import { randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningKey, loadSigningKey, saveSigningKey } from '@switchyard/config-distribution'
import type { SigningKey } from '@switchyard/config-distribution'
import { replaceFile, writeWholeFile } from '@switchyard/files'
import { ApiKeyInvalidError } from './errors.ts'

const API_KEY_FILE = 'api-key'
const SESSION_KEY_FILE = 'session-key'
const SIGNING_KEY_FILE = 'signing-key.json'
/** Characters that an HTTP header can carry as one word, and the least length of an API key. */
const API_KEY = /^[\x21-\x7e]{16,}$/
/** The least length of a session key that is used again; a shorter file was damaged. */
const SESSION_KEY_LENGTH = 32

export type PreparedApiKey = { readonly key: string; readonly file: string }

/**
 * The first API key of the registry. `given` (SWITCHYARD_BOOTSTRAP_API_KEY) wins and is written to the file
 * too, so that commands started in the same folder use the key that works. Call it only while holding the
 * data directory.
 */
export async function prepareApiKey(dataDir: string, given: string | undefined): Promise<PreparedApiKey> {
  const file = join(dataDir, API_KEY_FILE)
  const kept = await readIfPresent(file)
  const key = (given ?? kept ?? newApiKey()).trim()
  if (!API_KEY.test(key))
    throw new ApiKeyInvalidError(given === undefined ? file : 'SWITCHYARD_BOOTSTRAP_API_KEY')
  if (kept?.trim() === key) await chmod(file, 0o600)
  else await writeWholeFile(file, `${key}\n`)
  return { key, file }
}

/** The key that signs manifests. Routers of this process get its public half directly. */
export async function prepareSigningKey(dataDir: string): Promise<SigningKey> {
  const file = join(dataDir, SIGNING_KEY_FILE)
  if ((await readIfPresent(file)) !== null) return loadSigningKey(file)
  const key = await createSigningKey()
  await replaceFile(file, (temporary) => saveSigningKey(temporary, key))
  return key
}

/** The secret with which sessions of pages in a browser are sealed, so that they outlast a restart. */
export async function prepareSessionKey(dataDir: string): Promise<string> {
  const file = join(dataDir, SESSION_KEY_FILE)
  const kept = (await readIfPresent(file))?.trim() ?? ''
  if (kept.length >= SESSION_KEY_LENGTH) return kept
  const key = randomBytes(32).toString('base64url')
  await writeWholeFile(file, `${key}\n`)
  return key
}

function newApiKey(): string {
  return `swy_${randomBytes(6).toString('hex')}_${randomBytes(32).toString('hex')}`
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

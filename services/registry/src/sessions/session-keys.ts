/**
 * Encrypts and authenticates what browsers keep for registries: AES-256-GCM, with a key for each purpose that
 * is derived from a secret which all registries share.
 *
 * The first secret of the list seals. All of them open, so that a new secret can be put in front of the old
 * one without ending a session.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { EnvironmentError } from '@switchyard/service-kit'
import { z } from 'zod'
import { readSecretFile } from '../secrets/secret-file.ts'

/** The use of a sealed text. What was sealed for one purpose opens for no other. */
export type Purpose = 'session' | 'openid-connect'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
/** The longest cookie that browsers keep. */
const MOST_CHARACTERS = 4096
const MIN_LENGTH = 32
const MOST_SECRETS = 5

export class SessionKeys {
  readonly #secrets: readonly Buffer[]

  /** Takes one secret or more; the first one seals. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.map((secret) => Buffer.from(secret))
  }

  seal(purpose: Purpose, content: object): string {
    const [secret] = this.#secrets
    if (secret === undefined) throw new Error('session keys without a secret')
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), nonce)
    const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()])
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
  }

  /** Null if the text was not sealed for this purpose with one of the secrets, or was changed since. */
  open(purpose: Purpose, text: string): unknown {
    const bytes = text.length > MOST_CHARACTERS ? Buffer.alloc(0) : Buffer.from(text, 'base64url')
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
    for (const secret of this.#secrets) {
      const content = opened(keyOf(secret, purpose), bytes)
      if (content !== null) return JSON.parse(content)
    }
    return null
  }
}

function keyOf(secret: Buffer, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `switchyard ${purpose}`, KEY_BYTES))
}

function opened(key: Buffer, bytes: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const content = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([content, decipher.final()]).toString()
  } catch {
    return null
  }
}

/** One secret, or several separated by commas, the newest first; the text is in no error. */
const Secrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((secrets) => secrets.length <= MOST_SECRETS, {
    error: `expected at most ${MOST_SECRETS} keys separated by commas, the newest first`,
  })
  .refine((secrets) => secrets.every((secret) => /^\S+$/.test(secret) && secret.length >= MIN_LENGTH), {
    error: `expected a key of at least ${MIN_LENGTH} characters, for example of "openssl rand -base64 32", or several separated by commas`,
  })
  .transform((secrets) => new SessionKeys(secrets))

export const SESSION_KEY_VARIABLES = {
  SWITCHYARD_SESSION_KEY: Secrets.optional(),
  SWITCHYARD_SESSION_KEY_FILE: z.string().min(1).optional(),
}
const Variables = z.object(SESSION_KEY_VARIABLES)

/** Returns undefined where there is no key for sessions. Throws EnvironmentError. */
export function sessionKeysOf({
  SWITCHYARD_SESSION_KEY: given,
  SWITCHYARD_SESSION_KEY_FILE: file,
}: z.output<typeof Variables>): SessionKeys | undefined {
  if (file === undefined) return given
  const name = 'SWITCHYARD_SESSION_KEY_FILE'
  if (given !== undefined)
    throw new EnvironmentError([`${name}: expected instead of SWITCHYARD_SESSION_KEY, not beside it`])
  const { data, error } = Secrets.safeParse(readSecretFile(name, file))
  if (data !== undefined) return data
  const [problem] = error?.issues ?? []
  throw new EnvironmentError([`${name}: ${problem?.message ?? 'expected a key'}, in the file ${file}`])
}

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createSigningKey,
  loadSigningKey,
  publicJwks,
  saveSigningKey,
  SigningKeyInvalidError,
  SigningKeyMissingError,
} from '../src/config-distribution.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'switchyard-key-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('the signing key file', () => {
  it('is readable by its owner only, gives the same key back, and is never overwritten', async () => {
    const file = join(directory, 'key.json')
    const key = await createSigningKey()
    await saveSigningKey(file, key)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const loaded = await loadSigningKey(file)
    expect(loaded.kid).toBe(key.kid)
    expect(publicJwks(loaded)).toEqual(publicJwks(key))
    await expect(saveSigningKey(file, await createSigningKey())).rejects.toThrow('EEXIST')
    expect(await readFile(file, 'utf8')).toContain(key.kid)
  })

  it('keeps its private part out of the public keys', async () => {
    const key = await createSigningKey()
    const secret: unknown = JSON.parse(key.exportPrivate())
    expect(secret).toHaveProperty('d')
    expect(JSON.stringify(publicJwks(key))).not.toContain('"d"')
  })

  it('tells how to make one when it is missing', async () => {
    const error = await loadSigningKey(join(directory, 'none.json')).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SigningKeyMissingError)
    expect(error).toMatchObject({
      code: 'SIGNING_KEY_MISSING',
      message: expect.stringMatching(/none\.json.*create-signing-key/s),
    })
  })

  it.each([
    ['no JSON', 'not json SECRET'],
    ['a public key', '{"kty":"OKP","crv":"Ed25519","x":"SECRET"}'],
    ['another kind of key', '{"kty":"EC","crv":"P-256","x":"a","d":"SECRET"}'],
    ['a damaged key', '{"kty":"OKP","crv":"Ed25519","x":"abc","d":"SECRET"}'],
  ])('refuses %s without quoting it', async (_what, text) => {
    const file = join(directory, 'bad.json')
    await writeFile(file, text)
    const error = await loadSigningKey(file).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SigningKeyInvalidError)
    expect(error).toMatchObject({
      code: 'SIGNING_KEY_INVALID',
      message: expect.not.stringContaining('SECRET'),
    })
  })
})

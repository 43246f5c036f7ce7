import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareApiKey, prepareSigningKey } from '../src/key-files.ts'
import { createFolder } from './folder.ts'

const GIVEN = `swy_ci_${'s'.repeat(40)}`

async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

describe('the API key of a data directory', () => {
  it('is made once, for its owner only, and kept', async () => {
    const folder = await createFolder()
    const first = await prepareApiKey(folder, undefined)
    expect(first.key).toMatch(/^swy_[0-9a-f]+_[0-9a-f]{64}$/)
    expect(await mode(first.file)).toBe('600')
    expect(await prepareApiKey(folder, undefined)).toEqual(first)
  })

  it('is the given one when there is one, in the file too', async () => {
    const folder = await createFolder()
    await prepareApiKey(folder, undefined)
    const { key, file } = await prepareApiKey(folder, GIVEN)
    expect(key).toBe(GIVEN)
    expect(await readFile(file, 'utf8')).toBe(`${GIVEN}\n`)
    expect(await mode(file)).toBe('600')
    expect(await readdir(folder)).toEqual(['api-key'])
  })

  it('is refused, without being shown, when it is none', async () => {
    const folder = await createFolder()
    await expect(prepareApiKey(folder, 'hunter 2')).rejects.toThrow(
      /The API key in SWITCHYARD_BOOTSTRAP_API_KEY cannot be used(?!.*hunter 2)/,
    )
    await writeFile(join(folder, 'api-key'), '')
    await expect(prepareApiKey(folder, undefined)).rejects.toMatchObject({ code: 'API_KEY_INVALID' })
  })
})

describe('the signing key of a data directory', () => {
  it('is made once, for its owner only, and kept', async () => {
    const folder = await createFolder()
    const first = await prepareSigningKey(folder)
    expect((await prepareSigningKey(folder)).kid).toBe(first.kid)
    expect(await readdir(folder)).toEqual(['signing-key.json'])
    expect(await mode(join(folder, 'signing-key.json'))).toBe('600')
  })
})

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { leaveAddress } from '../src/address-file.ts'
import { createFolder } from './folder.ts'

describe('the address in a data directory', () => {
  it('is there while the registry runs, instead of what one that was killed left', async () => {
    const folder = await createFolder()
    await writeFile(join(folder, 'registry-url'), 'http://127.0.0.1:1\n')
    {
      await using _ = await leaveAddress(folder, 'http://127.0.0.1:14100')
      expect(await readFile(join(folder, 'registry-url'), 'utf8')).toBe('http://127.0.0.1:14100\n')
      expect(await readdir(folder)).toEqual(['registry-url'])
    }
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['http://0.0.0.0:4100', 'http://127.0.0.1:4100'],
    ['http://[::]:4100', 'http://[::1]:4100'],
    ['http://192.0.2.7:4100', 'http://192.0.2.7:4100'],
  ])('of a registry that listens on %s is one that can be asked: %s', async (listens, asked) => {
    const folder = await createFolder()
    await using _ = await leaveAddress(folder, listens)
    expect(await readFile(join(folder, 'registry-url'), 'utf8')).toBe(`${asked}\n`)
  })
})

import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@switchyard/testkit/temporary-directory'
import { describe, expect, it } from 'vitest'
import { removeStaleTemporaries, replaceFile, writeWholeFile } from '../src/index.ts'

describe('a file that is written whole', () => {
  it.each(['directory', 'file', 'nothing'] as const)('has the new content, with sync: %s', async (sync) => {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'file')
    await writeWholeFile(path, 'old', { sync })
    await writeWholeFile(path, Buffer.from('new'), { sync })
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await readdir(directory.path)).toEqual(['file'])
  })

  it('is readable by its owner only, unless told otherwise', async () => {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'file')
    await writeWholeFile(path, 'secret')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await writeWholeFile(path, 'address', { mode: 0o640 })
    expect((await stat(path)).mode & 0o777).toBe(0o640)
  })

  it('keeps its old content, and leaves nothing beside it, when the new one cannot be made', async () => {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'file')
    await writeWholeFile(path, 'old')
    const half = replaceFile(path, async (temporary) => {
      await writeFile(temporary, 'half')
      throw new RangeError('no more')
    })
    await expect(half).rejects.toThrow(new RangeError('no more'))
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(directory.path)).toEqual(['file'])
  })

  it('leaves a temporary file that is removed an hour after its writer was killed', async () => {
    await using directory = await temporaryDirectory()
    let temporaries: readonly string[] = []
    await replaceFile(join(directory.path, 'file'), async (temporary) => {
      await writeFile(temporary, 'half')
      await removeStaleTemporaries(directory.path)
      temporaries = await readdir(directory.path)
      expect(temporaries).toHaveLength(1)
    })
    const [name = ''] = temporaries
    await writeFile(join(directory.path, name), 'half')
    await utimes(join(directory.path, name), new Date(0), new Date(0))
    await removeStaleTemporaries(directory.path)
    expect(await readdir(directory.path)).toEqual(['file'])
  })
})

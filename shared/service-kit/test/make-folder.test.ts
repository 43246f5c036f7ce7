import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../src/process/make-folder.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'folders-'))
  onTestFinished(() => rm(root, { recursive: true }))
})

describe('making a folder', () => {
  it('makes those above it, with the permissions asked for, and is content with one that is there', async () => {
    const path = join(root, 'a', 'b', 'c')
    await makeFolder(path, { mode: 0o700 })
    await makeFolder(path)
    const modes = await Promise.all(['a', 'a/b', 'a/b/c'].map((name) => stat(join(root, name))))
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700, 0o700])
  })

  it('lets several make the same one at once', async () => {
    const path = join(root, 'a', 'b')
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(path)))
    expect((await stat(path)).isDirectory()).toBe(true)
  })

  it('says what stands in its place, or in the place of one above it', async () => {
    await writeFile(join(root, 'file'), '')
    await symlink(join(root, 'nowhere'), join(root, 'link'))
    const message = `${join(root, 'file')} is there, and is no folder`
    await expect(makeFolder(join(root, 'file'))).rejects.toThrow(message)
    await expect(makeFolder(join(root, 'file', 'a', 'b'))).rejects.toThrow(message)
    await expect(makeFolder(join(root, 'link'))).rejects.toThrow('EEXIST')
  })

  it.runIf(existsSync('/proc/self'))('ends where the file system takes no folders', async () => {
    await expect(makeFolder('/proc/no-such/place')).rejects.toThrow(
      '/proc is there but takes no new folders (Error: ENOENT: no such file or directory',
    )
  })
})

/** What follows the pages: it has to type what stands there, and to notice what fails. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../shared/testkit/src/index.ts'
import { PageError, PageShell } from './pages/page-shell.ts'
import { withPorts } from './pages/ports.ts'

describe('ports of a page', () => {
  const ports = new Map([
    ['4000', 31_000],
    ['6379', 31_001],
  ])

  it.each([
    ['curl http://localhost:4000/graphql', 'curl http://localhost:31000/graphql'],
    ['switchyard router start --port 4000', 'switchyard router start --port 31000'],
    ['REDIS_URL=redis://localhost:6379/0', 'REDIS_URL=redis://localhost:31001/0'],
    // The second one is inside of the container.
    ['docker run -p 127.0.0.1:4000:4000 image', 'docker run -p 127.0.0.1:31000:4000 image'],
    // Folders of tests are named after their process, whose id may be that of a port.
    ["cd '/tmp/switchyard-tests-6379-a/page'", "cd '/tmp/switchyard-tests-6379-a/page'"],
    ['sleep 5000', 'sleep 5000'],
  ])('%s', (text, expected) => {
    expect(withPorts(text, ports)).toBe(expected)
  })
})

describe('the shell of a page', () => {
  it('tells what a program printed that should go on, and ends without a known message', async () => {
    await using folder = await temporaryDirectory()
    const bin = join(folder.path, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'switchyard'), '#!/bin/sh\necho nothing that is known\n')
    await chmod(join(bin, 'switchyard'), 0o755)
    await using shell = new PageShell({ folder: folder.path, bin })
    const run = shell.run('switchyard up')
    await expect(run).rejects.toThrow(PageError)
    await expect(run).rejects.toThrow(/nothing that is known/)
  })
})

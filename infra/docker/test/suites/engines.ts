/** Engines that nobody stopped: what they leave is cleared away before the next one starts. */
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { access, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { clearAbandonedEngines, removeEngineFolder } from '../../src/abandoned-engines.ts'
import { runProgram } from '../../src/run-program.ts'
import { noEngine } from './engine.ts'

const OPEN_ENGINE = fileURLToPath(new URL('../support/open-engine.ts', import.meta.url))

export function testEngines(): void {
  // An engine of the machine itself is used as it is, and nobody's to clear away.
  describe.skipIf(noEngine !== null || process.env['DOCKER_HOST'] !== undefined)('engines', () => {
    it('of a process that was killed are stopped and removed', async () => {
      const owner = spawn(process.execPath, [OPEN_ENGINE], { stdio: ['ignore', 'pipe', 'inherit'] })
      let folder = ''
      owner.stdout.on('data', (chunk: Buffer) => (folder += chunk.toString('utf8')))
      await waitFor('an engine', () => folder.endsWith('\n'))
      const daemon = Number(await readFile(`${folder.trim()}/docker.pid`, 'utf8'))
      await clearAbandonedEngines()
      expect(isAlive(daemon)).toBe(true)

      owner.kill('SIGKILL')
      await once(owner, 'exit')
      expect(isAlive(daemon)).toBe(true)
      await clearAbandonedEngines()
      await waitFor('the daemon to end', () => !isAlive(daemon))
      await expect(access(folder.trim())).rejects.toThrow('ENOENT')
      expect(await readFile('/proc/self/mounts', 'utf8')).not.toContain(folder.trim())
    })

    it('are removed with the network name spaces that they left mounted', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'switchyard-left-mounted-'))
      const netns = join(folder, 'exec', 'netns', 'default')
      await mkdir(join(folder, 'exec', 'netns'), { recursive: true })
      await writeFile(netns, '')
      expect((await runProgram('mount', ['--bind', '/proc/self/ns/net', netns])).code).toBe(0)
      await removeEngineFolder(folder)
      await expect(access(folder)).rejects.toThrow('ENOENT')
    })
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

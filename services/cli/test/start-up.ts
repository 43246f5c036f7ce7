/**
 * `switchyard up` as a process of its own, on ports that the system chooses and a data directory of its own.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bareEnvironment, programFile } from '@switchyard/testkit'
import { z } from 'zod'

const MAIN = programFile('services/cli/src/main.ts')
const Up = z.object({
  ok: z.literal(true),
  result: z.object({ registryUrl: z.string(), routerUrl: z.string(), apiKeyFile: z.string() }),
})

export type StartedUp = AsyncDisposable & {
  /** The folder it was started in; its data directory is `.switchyard` there. */
  readonly folder: string
  readonly registryUrl: string
  readonly routerUrl: string
}

export async function startUp(...args: readonly string[]): Promise<StartedUp> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-up-'))
  const ports = ['--registry-port', '0', '--router-port', '0']
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, 'up', '--json', ...ports, ...args],
    { cwd: folder, env: bareEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let stdout = ''
  let stderr = ''
  const closed = once(child, 'close')
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const started = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (stdout.endsWith('}\n')) resolve()
    })
  })
  await Promise.race([started, closed])
  const document = Up.safeParse(stdout === '' ? null : JSON.parse(stdout))
  if (!document.success) {
    await closed
    await rm(folder, { recursive: true, force: true })
    throw new Error(`up ended with ${child.exitCode}: ${stdout}`)
  }
  const { result } = document.data
  return {
    ...result,
    folder,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await closed
      await rm(folder, { recursive: true, force: true })
      if (child.exitCode !== 0) throw new Error(`up ended with ${child.exitCode}:\n${stderr}`)
    },
  }
}

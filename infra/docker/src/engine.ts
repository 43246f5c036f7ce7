/**
 * A Docker engine for tests: the one that runs on this machine or, where none does and this process may, one
 * of its own with everything it keeps in a folder that is removed with it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  clearAbandonedEngines,
  ENGINES_IN,
  FOLDER_PREFIX,
  ownEngineFolder,
  removeEngineFolder,
} from './abandoned-engines.ts'
import { type Finished, runProgram } from './run-program.ts'

export interface Engine extends AsyncDisposable {
  /** The environment variables that programs need to speak to the engine. */
  readonly env: Readonly<Record<string, string>>
  /** Runs `docker …`. Rejects with its output if it fails. */
  docker(...args: readonly string[]): Promise<string>
  /** Runs `docker …` and resolves whatever its exit code is. */
  tryDocker(...args: readonly string[]): Promise<Finished>
}

const START_WITHIN_MS = 60_000
/** Debian's client builds without a plug-in, and may stand behind a newer one that does not. */
const CLIENTS = ['/usr/bin/docker', '/usr/local/bin/docker']
const DAEMONS = ['/usr/sbin/dockerd', '/usr/bin/dockerd']
const BUSYBOX = ['/bin/busybox', '/usr/bin/busybox']

/** Why there is no engine, or null. For `describe.skipIf`; says so on stderr. */
export async function engineMissing(): Promise<string | null> {
  const reason = await missing()
  if (reason !== null) {
    process.stderr.write(
      `No container engine: ${reason}. The tests of images and of the compose file are skipped.\n`,
    )
  }
  return reason
}

async function missing(): Promise<string | null> {
  const client = found(CLIENTS)
  if (client === undefined) return 'docker is not installed'
  if ((await runProgram(client, ['info'])).code === 0) return null
  if (process.getuid?.() !== 0) return 'none runs, and only root may start one'
  if (found(DAEMONS) === undefined) return 'none runs, and dockerd is not installed'
  if (found(BUSYBOX) === undefined)
    return 'none runs, and busybox, of which base images are made, is not installed'
  try {
    await using _ = await ownEngine(client)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export async function openEngine(): Promise<Engine> {
  const client = found(CLIENTS)
  if (client === undefined) throw new Error('docker is not installed; ask engineMissing() first')
  if ((await runProgram(client, ['info'])).code === 0) return engineAt(client, {}, async () => {})
  return ownEngine(client)
}

async function ownEngine(client: string): Promise<Engine> {
  await clearAbandonedEngines()
  const folder = await mkdtemp(join(ENGINES_IN, FOLDER_PREFIX))
  await ownEngineFolder(folder)
  const host = `unix://${join(folder, 'docker.sock')}`
  const daemon = spawn(
    found(DAEMONS) ?? 'dockerd',
    [
      '--data-root',
      `${folder}/data`,
      '--exec-root',
      `${folder}/exec`,
      '-H',
      host,
      '-p',
      `${folder}/docker.pid`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  daemon.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString('utf8')).slice(-4_000)))
  const ended = once(daemon, 'exit')
  const engine = engineAt(client, { DOCKER_HOST: host }, async () => {
    daemon.kill('SIGTERM')
    await ended
    await removeEngineFolder(folder)
  })
  const deadline = performance.now() + START_WITHIN_MS
  while ((await engine.tryDocker('info')).code !== 0) {
    if (daemon.exitCode !== null || performance.now() > deadline) {
      await engine[Symbol.asyncDispose]()
      throw new Error(`dockerd does not come up on this machine: ${log.trim().split('\n').at(-1) ?? ''}`)
    }
    await sleep(100)
  }
  return engine
}

function engineAt(client: string, env: Record<string, string>, stop: () => Promise<void>): Engine {
  const tryDocker = (...args: readonly string[]) => runProgram(client, args, { env })
  return {
    env: { ...env, DOCKER: client },
    tryDocker,
    async docker(...args) {
      const { code, stdout, stderr } = await tryDocker(...args)
      if (code !== 0) throw new Error(`docker ${args.join(' ')} ended with ${code}: ${stderr || stdout}`)
      return stdout.trim()
    },
    [Symbol.asyncDispose]: stop,
  }
}

function found(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path))
}

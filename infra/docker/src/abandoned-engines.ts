/**
 * Clears away engines whose owner was killed before it could stop them.
 *
 * All engines of a machine put their containers on one bridge, `docker0`, and each numbers them from
 * 172.17.0.2 on. A container or a step of a build that nobody stopped keeps its address, so connections to
 * the next container with that address are reset now and then.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram } from './run-program.ts'

/** The folder of all engines. It is not among the temporary files of a run, which are removed unseen. */
export const ENGINES_IN = process.env['SWITCHYARD_TEST_ENGINES'] ?? tmpdir()
/** The beginning of the names of our engines' folders. */
export const FOLDER_PREFIX = 'switchyard-docker-'
/** A file in the folder of an engine: the process id of who stops it. */
const OWNER = 'owner.pid'
const STOP_WITHIN_MS = 30_000

/** Says in the folder of an engine that this process stops it. */
export async function ownEngineFolder(folder: string): Promise<void> {
  await writeFile(join(folder, OWNER), String(process.pid))
}

/** Stops what runs in folders whose owner has ended, and removes them. Rejects when one cannot be removed. */
export async function clearAbandonedEngines(): Promise<void> {
  for (const name of await readdir(ENGINES_IN)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const folder = join(ENGINES_IN, name)
    const owner = await processIn(join(folder, OWNER))
    const daemon = await processIn(join(folder, 'docker.pid'))
    // A folder with neither was made a moment ago.
    const holder = owner ?? daemon
    if (holder !== null && !isAlive(holder)) await clear(folder, daemon)
  }
}

async function clear(folder: string, daemon: number | null): Promise<void> {
  // Its number alone can be another process's by now.
  if (daemon !== null && (await isAbout(daemon, folder))) await stop(daemon)
  await removeEngineFolder(folder)
}

/**
 * Removes the folder of an engine that has ended.
 *
 * An engine that is told to stop while containers end leaves their network name spaces mounted now and then,
 * and a folder that holds a mount cannot be removed.
 */
export async function removeEngineFolder(folder: string): Promise<void> {
  for (const mount of (await mountsBelow(folder)).toReversed()) await runProgram('umount', ['--lazy', mount])
  await rm(folder, { recursive: true, force: true })
}

async function stop(pid: number): Promise<void> {
  signal(pid, 'SIGTERM')
  const deadline = performance.now() + STOP_WITHIN_MS
  while (isAlive(pid) && performance.now() < deadline) await sleep(50)
  signal(pid, 'SIGKILL')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Null where the file does not hold a process id. */
async function processIn(file: string): Promise<number | null> {
  const pid = Number(await readFile(file, 'utf8').catch(() => ''))
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null
}

async function isAbout(pid: number, folder: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(`${folder}/`)
}

/** Returns the mounts below a folder, in the order in which they were mounted. */
async function mountsBelow(folder: string): Promise<readonly string[]> {
  const lines = (await readFile('/proc/self/mounts', 'utf8')).split('\n')
  return lines.map((line) => line.split(' ')[1] ?? '').filter((mount) => mount.startsWith(`${folder}/`))
}

/**
 * Small file systems in memory, for what a full disk does. Only whom the system lets mount can have them; for
 * others they are ordinary folders, and faults that need them are skipped.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DISK_MIB = 64
const PIECE = Buffer.alloc(64 * 1024)

export const DISKS = ['nats', 'redis', 'router-0', 'registry', 'shared'] as const
export type Disk = (typeof DISKS)[number]

export class Disks implements AsyncDisposable {
  readonly #folder: string
  readonly #mounted: readonly string[]

  private constructor(folder: string, mounted: readonly string[]) {
    this.#folder = folder
    this.#mounted = mounted
  }

  static async open(): Promise<Disks> {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-disks-'))
    const mounted: string[] = []
    for (const disk of DISKS) {
      const path = join(folder, disk)
      mkdirSync(path)
      if (mount(path)) mounted.push(path)
    }
    return new Disks(folder, mounted)
  }

  pathOf(disk: Disk): string {
    return join(this.#folder, disk)
  }

  /** Writes until there is no room. */
  async fill(disk: Disk): Promise<void> {
    const path = this.pathOf(disk)
    if (!this.#mounted.includes(path)) throw new Error(`${path} is not a file system of its own`)
    const file = await open(join(path, 'ballast'), 'w')
    try {
      for (;;) await file.write(PIECE)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    } finally {
      await file.close()
    }
  }

  async clear(disk: Disk): Promise<void> {
    await rm(join(this.pathOf(disk), 'ballast'), { force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of this.#mounted) spawnSync('umount', ['--lazy', path])
    await rm(this.#folder, { recursive: true, force: true })
  }
}

let reason: string | null | undefined

/** Why nothing can be mounted here, or null. */
export function disksMissing(): string | null {
  reason ??= tryToMount()
  return reason
}

function tryToMount(): string | null {
  const probe = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], {
    encoding: 'utf8',
  })
  if (probe.error !== undefined) return 'unshare and mount are not on this machine'
  return probe.status === 0 ? null : `nothing can be mounted here: ${probe.stderr.trim()}`
}

function mount(path: string): boolean {
  const options = `size=${DISK_MIB}m,mode=0700`
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'switchyard-faults', path])
  return status === 0 && statSync(path).isDirectory()
}

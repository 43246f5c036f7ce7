/** Finds out how many processors this process may keep busy. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * Files in which a container sees its own control group, of version 2 and of version 1. They have
 * microseconds of CPU, and of time.
 */
const CPU_MAX = '/sys/fs/cgroup/cpu.max'
const CFS_QUOTA = '/sys/fs/cgroup/cpu/cpu.cfs_quota_us'
const CFS_PERIOD = '/sys/fs/cgroup/cpu/cpu.cfs_period_us'

/**
 * Returns the number of processors that the process is bound to, limited by the CPU limit of its container,
 * rounded down. At least 1.
 */
export function availableProcessors(
  read: (path: string) => string | null = textOf,
  parallelism: number = availableParallelism(),
): number {
  const limit = limitOf(read(CPU_MAX)) ?? limitOf(`${read(CFS_QUOTA)} ${read(CFS_PERIOD)}`) ?? parallelism
  return Math.max(1, Math.min(parallelism, Math.floor(limit)))
}

/** Parses `<quota> <period>`. Null if there is no limit (`max`, -1, or no such file). */
function limitOf(text: string | null): number | null {
  const [, quota, period] = /^(\d+)\s+(\d+)\s*$/.exec((text ?? '').replaceAll('\n', ' ')) ?? []
  return quota === undefined || Number(period) === 0 ? null : Number(quota) / Number(period)
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

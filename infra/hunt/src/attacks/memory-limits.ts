/** How much memory an attack may make a process take, and how much of it the process may keep afterwards. */
import type { Watched } from './watched.ts'

/** Bytes besides what the process had before the attack. */
export type MemoryLimits = {
  /** The most bytes beyond those before the attack, at any moment. */
  readonly growth: number
  /** The most bytes beyond those before the attack, some time after it. */
  readonly kept: number
}

const MB = 1e6

/** Limits of attacks that say nothing else: room for garbage that was not collected yet. */
const USUAL: MemoryLimits = { growth: 500 * MB, kept: 250 * MB }

export function memoryLimits({ growth, kept }: Partial<MemoryLimits> = {}): MemoryLimits {
  return { growth: growth ?? USUAL.growth, kept: kept ?? USUAL.kept }
}

/** Says which limit was exceeded, and by how much; null if none was. A process that ended has no memory. */
export function memoryFault({ before, after, residentLater }: Watched, limits: MemoryLimits): string | null {
  if (after === null) return null
  const growth = after.mostResident - before.resident
  if (growth > limits.growth)
    return `It took ${inMb(growth)} of memory during the attack: expected at most ${inMb(limits.growth)}.`
  const kept = residentLater === null ? 0 : residentLater - before.resident
  if (kept > limits.kept)
    return `It has kept ${inMb(kept)} of memory after the attack: expected at most ${inMb(limits.kept)}.`
  return null
}

export function inMb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`
}

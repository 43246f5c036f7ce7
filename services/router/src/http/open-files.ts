/** How many connections the system lets a process have. */
import { readFileSync } from 'node:fs'

/** For calls to subgraphs, stores and files. */
const FOR_OTHERS = 0.2

/**
 * Of files that may be open at a time, in the text of Linux's `/proc/self/limits`; null: unlimited, or it
 * does not tell.
 */
export function maxOpenFilesIn(limits: string): number | null {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? null : Number(soft)
}

/** null: the system does not tell. */
export function maxOpenFiles(): number | null {
  try {
    return maxOpenFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null
  }
}

/** `wanted`, or as many as are left beside what else a router opens. */
export function connectionsWithin(openFiles: number | null, wanted: number): number {
  if (openFiles === null) return wanted
  return Math.max(1, Math.min(wanted, Math.floor(openFiles * (1 - FOR_OTHERS))))
}

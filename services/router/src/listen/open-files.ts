/** Finds out how many connections the system lets a process have. */
import { readFileSync } from 'node:fs'

/** The part of the open files that is left for calls to subgraphs, stores and files. */
const FOR_OTHERS = 0.2

/**
 * Returns the limit of open files in the text of Linux's `/proc/self/limits`. Null if it is unlimited or not
 * stated.
 */
export function maxOpenFilesIn(limits: string): number | null {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? null : Number(soft)
}

/** Returns the limit of open files of this process. Null if the system does not tell it. */
export function maxOpenFiles(): number | null {
  try {
    return maxOpenFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null
  }
}

/** Returns the number of connections to allow: `wanted`, or fewer if the limit of open files leaves less. */
export function connectionsWithin(openFiles: number | null, wanted: number): number {
  if (openFiles === null) return wanted
  return Math.max(1, Math.min(wanted, Math.floor(openFiles * (1 - FOR_OTHERS))))
}

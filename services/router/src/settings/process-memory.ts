import { totalmem } from 'node:os'

/** Bytes that this process may have: those of the machine, or of its container where that has a limit. */
export function processMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

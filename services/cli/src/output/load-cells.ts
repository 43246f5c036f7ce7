/** How a process does, as two columns of a list. */
import type { ProcessLoad } from '@switchyard/contracts'

export const LOAD_COLUMNS = ['memory', 'event loop'] as const

/** Memory, and the share of the last seconds in which the event loop was busy. `-` where it is not told. */
export function loadCells(load: ProcessLoad | null | undefined): readonly string[] {
  if (load === undefined || load === null) return ['-', '-']
  const { residentBytes, eventLoopUtilization } = load
  return [`${Math.round(residentBytes / 1024 / 1024)} MiB`, `${Math.round(eventLoopUtilization * 100)} %`]
}

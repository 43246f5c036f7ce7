/** Reads how much memory and CPU a process has used so far, as Linux counts it. */
import { readFileSync } from 'node:fs'

export type ProcessUse = {
  /** Bytes. */
  readonly resident: number
  readonly mostResident: number
  /** Milliseconds, of all threads. */
  readonly cpu: number
}

/** The milliseconds of one tick of the clock in which /proc counts CPU. */
const TICK_MS = 10

export function processUse(pid: number): ProcessUse {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  // Behind the name of the program, which may hold anything, user and system time are the 12th and 13th.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return {
    resident: kilobytes('VmRSS') * 1024,
    mostResident: kilobytes('VmHWM') * 1024,
    cpu: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
  }
}

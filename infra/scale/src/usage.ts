/**
 * Reads CPU time and memory of processes, as Linux counts them. Unlike waiting times, CPU time does not
 * depend on other busy processes.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Seconds of CPU that a process has used so far, with all its threads. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may hold spaces; `utime` and `stime` are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Megabytes that are resident. */
export function residentMegabytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) / 1024
}

export function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`
}

export function megabytes(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} MB`
}

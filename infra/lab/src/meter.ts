/** Reads how much memory and CPU a process and its children use, as Linux counts it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

export type TreeUsage = {
  /** Milliseconds of CPU so far, user and system, of all threads of all processes that live. */
  readonly cpuMs: number
  /** Resident now, in MB. */
  readonly residentMb: number
  /**
   * The most that was ever resident, in MB; added up over processes, which may not have had it at one time.
   */
  readonly peakMb: number
}

export function usageOf(root: number): TreeUsage {
  let [ticks, resident, peak] = [0, 0, 0]
  for (const pid of treeOf(root)) {
    const status = read(`/proc/${pid}/status`)
    ticks += ticksOf(read(`/proc/${pid}/stat`))
    resident += kilobytes(status, 'VmRSS')
    peak += kilobytes(status, 'VmHWM')
  }
  return { cpuMs: (ticks * 1000) / TICKS_PER_SECOND, residentMb: resident / 1024, peakMb: peak / 1024 }
}

/** `utime` and `stime`, the 14th and 15th field; the name of the program, in brackets, may hold spaces. */
export function ticksOf(stat: string): number {
  const fields = fieldsOf(stat)
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

/** The process and everything below it. */
function treeOf(root: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(fieldsOf(read(`/proc/${name}/stat`))[1]) }))
  const tree = [root]
  for (const above of tree) {
    for (const { pid, parent } of parents) if (parent === above) tree.push(pid)
  }
  return tree
}

function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
}

/** Empty for a process that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

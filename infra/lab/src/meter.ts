/**
 * Reads how much memory and CPU processes use, as Linux counts it. Unlike waiting times, CPU time does not
 * depend on other busy processes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

export type Usage = {
  /** Milliseconds of CPU so far, user and system, of all threads. */
  readonly cpuMs: number
  /** Bytes that are resident now. */
  readonly resident: number
  /**
   * The most bytes that were ever resident. Those of several processes are added up, which may not have had
   * them at one time.
   */
  readonly mostResident: number
}

/** The milliseconds of one tick of the clock in which Linux tells CPU: `USER_HZ` is 100 everywhere. */
const TICK_MS = 10

/** Returns the use of one process. Throws if there is no such process. */
export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024
  return {
    cpuMs: ticksOf(readFileSync(`/proc/${pid}/stat`, 'utf8')) * TICK_MS,
    resident: bytes('VmRSS'),
    mostResident: bytes('VmHWM'),
  }
}

/** Returns the use of a process and of everything below it, as far as it lives. */
export function usageOfTree(root: number): Usage {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: ifItLives(() => parentOf(Number(name))) }))
  const tree = [root]
  for (const above of tree) {
    for (const { pid, parent } of parents) if (parent === above) tree.push(pid)
  }
  const usages = tree.flatMap((pid) => ifItLives(() => usageOf(pid)) ?? [])
  const sum = (name: keyof Usage) => usages.reduce((total, usage) => total + usage[name], 0)
  return { cpuMs: sum('cpuMs'), resident: sum('resident'), mostResident: sum('mostResident') }
}

/** Resets the most resident bytes of a process to those that are resident now (proc_pid_clear_refs(5)). */
export function forgetMostResident(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Measures the CPU that programs use from now on. */
export class CpuMeter {
  readonly #programs: ReadonlyMap<string, { readonly pid: number }>
  readonly #before = new Map<string, number>()

  constructor(programs: ReadonlyMap<string, { readonly pid: number }>) {
    this.#programs = programs
    for (const [name, { pid }] of programs) this.#before.set(name, usageOf(pid).cpuMs)
  }

  /** Returns the seconds that programs whose names begin with `prefix` have used together. */
  secondsOf(prefix: string): number {
    const used = [...this.#programs].filter(([name]) => name.startsWith(prefix))
    return (
      used.reduce((sum, [name, { pid }]) => sum + usageOf(pid).cpuMs - (this.#before.get(name) ?? 0), 0) /
      1000
    )
  }
}

/** `utime` and `stime`, the 14th and 15th field of `/proc/<pid>/stat`. */
export function ticksOf(stat: string): number {
  const fields = fieldsOf(stat)
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

function parentOf(pid: number): number {
  return Number(fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1])
}

/** Returns the fields behind the name of the program, which is in brackets and may hold anything. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Undefined for a process that has just ended. */
function ifItLives<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

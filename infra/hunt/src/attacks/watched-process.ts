/** A process that is attacked: what it takes of memory and CPU, and the longest turn of its event loop. */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { forgetMostResident, type ServiceProgram, type Usage, usageOf } from '@switchyard/lab'
import type { MemoryLimits } from './memory-limits.ts'
import type { Watched } from './watched.ts'

/** The pause between two looks at whether memory has gone back. */
const LOOK_EVERY_MS = 250

/** Returns the environment of a program that writes the turns of its event loop to a file. */
export function turnReportEnvironment(file: string, nodeOptions = ''): Record<string, string> {
  return {
    SWITCHYARD_HUNT_TURNS: file,
    NODE_OPTIONS: `--import=${new URL('turn-report.ts', import.meta.url).href} ${nodeOptions}`,
  }
}

/** Watches a process from just before an attack until its memory has gone back. */
export class WatchedProcess {
  readonly #program: ServiceProgram
  readonly #turnsFile: string
  readonly #before: Usage

  /** Begins to watch. `turnsFile` is the file in the program's environment. Earlier use does not count. */
  constructor(program: ServiceProgram, turnsFile: string) {
    this.#program = program
    this.#turnsFile = turnsFile
    forgetMostResident(program.pid)
    this.#before = usageOf(program.pid)
    process.kill(program.pid, 'SIGUSR2')
  }

  /** Ends the watch once the attack is over. Memory has to go back within `restMs`. */
  async end(limits: MemoryLimits, restMs: number): Promise<Watched> {
    const before = this.#before
    const after = this.#use()
    const longestTurn = existsSync(this.#turnsFile) ? Number(readFileSync(this.#turnsFile, 'utf8')) : null
    const until = performance.now() + restMs
    let later = this.#use()
    while (later !== null && later.resident - before.resident > limits.kept && performance.now() < until) {
      await delay(LOOK_EVERY_MS)
      later = this.#use()
    }
    return { before, after, residentLater: later?.resident ?? null, longestTurn }
  }

  #use(): Usage | null {
    return this.#program.running ? usageOf(this.#program.pid) : null
  }
}

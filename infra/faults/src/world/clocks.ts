/**
 * Clocks of single programs that can be set while they run, by libfaketime (scripts/faults.sh). Only what
 * tells the time of day is wrong; timers and monotonic time go on as they are, as on a machine whose clock
 * was set.
 */
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The seconds after which the library reads its file again. */
const NOTICED_AFTER_SECONDS = 1

const [library = null] = globSync('/usr/lib/*/faketime/libfaketime.so.1')

/** Why clocks cannot be set here, or null. */
export function clocksMissing(): string | null {
  return library === null ? 'libfaketime is not on this machine' : null
}

export class Clocks {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Variables of a program whose clock can be set, and is right at first. */
  environmentOf(program: string): Readonly<Record<string, string>> {
    if (library === null) throw new Error('libfaketime is not on this machine')
    this.#write(program, '+0')
    return {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#fileOf(program),
      FAKETIME_CACHE_DURATION: String(NOTICED_AFTER_SECONDS),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  }

  /**
   * Sets the clock of a program to `offset` from the right time, such as `+1d`, `-1d` or `+0`. Resolves when
   * the program has it.
   */
  async set(program: string, offset: string): Promise<void> {
    this.#write(program, offset)
    await sleep(NOTICED_AFTER_SECONDS * 1500)
  }

  #fileOf(program: string): string {
    return join(this.#folder, `clock-${program}`)
  }

  #write(program: string, offset: string): void {
    writeFileSync(this.#fileOf(program), `${offset}\n`)
  }
}

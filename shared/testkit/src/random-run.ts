/**
 * Seeds and lengths of random tests. By default they draw the same in every run: the verdict on a commit must
 * not depend on the clock. Fresh seeds are for campaigns (`make fuzz`). A fault that one finds becomes a test
 * with a name, and is mended.
 *
 * `SEED=… RUNS=… vitest run <file>` repeats or lengthens a run.
 */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLongRun } from './sampled.ts'

/** No number is better than another: whatever this one finds is to be mended, and not to be avoided. */
export const FIXED_SEED = 314_159_265
const LEAST_TIMEOUT_MS = 600_000

export class RandomRun {
  readonly seed: number
  readonly runs: number
  readonly #usualRuns: number
  readonly #file: string

  /**
   * `file` is the `import.meta.url` of the test. `make test-long` makes `longRuns`, which begin with the
   * usual ones.
   */
  constructor(file: string, usualRuns: number, longRuns = usualRuns) {
    this.seed = numberIn('SEED') ?? FIXED_SEED
    this.runs = numberIn('RUNS') ?? (isLongRun() ? longRuns : usualRuns)
    this.#usualRuns = usualRuns
    this.#file = relative('.', fileURLToPath(file))
  }

  /**
   * Returns the time limit of a test whose usual number of runs takes far less than `usual` milliseconds. It
   * is at least ten minutes, so that only a test that hangs reaches it, even on a busy machine.
   */
  timeout(usual: number): number {
    return Math.max(LEAST_TIMEOUT_MS, usual) * Math.max(1, Math.ceil(this.runs / this.#usualRuns))
  }

  /**
   * Asks one question. Of one that goes wrong, the error begins with the shell command that asks it again:
   * short reports show no more than the start.
   */
  async ask<T>(again: Again, question: () => Promise<T>): Promise<T> {
    try {
      return await question()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      error.message = `${this.#command(again)}\n${error.message}`
      throw error
    }
  }

  /** The parameters for fast-check, which says in its own words how to repeat a run. */
  get parameters(): { readonly seed: number; readonly numRuns: number } {
    return { seed: this.seed, numRuns: this.runs }
  }

  #command({ test, seed, runs = 1, world }: Again): string {
    const variables = `SEED=${seed} RUNS=${runs}`
    return `${world === undefined ? variables : `WORLD=${world} ${variables}`} vitest run ${this.#file} -t '${test}'`
  }
}

export type Again = {
  /** The beginning of the test's name. */
  readonly test: string
  readonly seed: number
  readonly runs?: number
  /** The number of the generated graph that the question is about, if it is about one. */
  readonly world?: number
}

/** Null if the variable is not set. */
function numberIn(variable: string): number | null {
  const text = process.env[variable]
  if (text === undefined || text === '') return null
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`${variable} is "${text}", which is not a whole number of at least 0.`)
  return number
}

/**
 * Reads the JSON in the body of a large answer of a subgraph, in slices. It reads and refuses the same as
 * `readJson`, apart from limits of its own.
 */
import {
  inSlices,
  type JsonLimit,
  NotUtf8Error,
  readJsonInTurns,
  type SlicedWork,
  type Turns,
} from '@switchyard/engine'
import type { WorkBudget } from '@switchyard/engine'
import { hasErrors, NOT_JSON, NOT_UTF8, type ReadJson, ANSWER_TOO_DEEP } from './read-json.ts'

/** Bytes that `JSON.parse` reads within a few milliseconds in most cases, and in 25 at the worst. */
export const LARGE_ANSWER = 256 * 1024

/**
 * The amount that is read in one turn: one to three milliseconds of work, and 26 at the worst, if every
 * object has names of its own. Exact numbers are read in smaller amounts, because each character has to be
 * looked at.
 */
const WINDOW = { bytes: 1024 * 1024, values: 32_768 }

/** Levels of a large answer. The values of an answer that are shown to clients nest much less. */
const MAX_DEPTH = 2000

const PROBLEMS: Readonly<Record<JsonLimit, string>> = {
  depth: ANSWER_TOO_DEEP,
  items: 'an answer with a list of more than 5000000 items',
  members: 'an answer with an object of more than 100000 members',
  names: 'an answer with a name of more than 16383 bytes in an object',
  numbers: 'an answer with a number of more than 65536 characters',
}

/**
 * Parses the body of an answer. Rejects with any error of `turns` or of `budget`, which takes a step for each
 * value.
 */
export async function readLargeJson(
  chunks: readonly Buffer[],
  exactNumbers: boolean,
  turns: Turns,
  budget: WorkBudget,
): Promise<ReadJson> {
  const limits = {
    budget,
    maxDepth: MAX_DEPTH,
    exceeded: (limit: JsonLimit) => new ProblemError(PROBLEMS[limit]),
  }
  try {
    const how = exactNumbers ? { exactNumbers } : { window: WINDOW }
    const body = await readJsonInTurns(chunks, turns, { ...limits, ...how })
    if (exactNumbers || !hasErrors(body)) return { body }
    return { body: await readJsonInTurns(chunks, turns, { ...limits, exactNumbers: true }) }
  } catch (error) {
    const problem = problemOf(error)
    if (problem === null) throw error
    // Bytes that are not UTF-8 are reported as such, rather than as malformed JSON.
    const check = new Utf8Check(chunks)
    await inSlices(check, turns)
    return { problem: check.isUtf8 ? problem : NOT_UTF8 }
  }
}

function problemOf(error: unknown): string | null {
  if (error instanceof ProblemError) return error.message
  if (error instanceof NotUtf8Error) return NOT_UTF8
  if (error instanceof RangeError) return ANSWER_TOO_DEEP
  return error instanceof SyntaxError ? NOT_JSON : null
}

/** Carries the problem of an answer out of the parser. */
class ProblemError extends Error {}

const BYTES_PER_STEP = 64
const PIECE = 65_536

class Utf8Check implements SlicedWork {
  isUtf8 = true
  readonly #chunks: readonly Buffer[]
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #chunk = 0
  /** The index in the chunk. */
  #at = 0

  constructor(chunks: readonly Buffer[]) {
    this.#chunks = chunks
  }

  proceed(steps: number): boolean {
    try {
      for (let left = steps * BYTES_PER_STEP; left > 0; left -= PIECE) {
        const chunk = this.#chunks[this.#chunk]
        if (chunk === undefined) {
          this.#decoder.decode()
          return true
        }
        this.#decoder.decode(chunk.subarray(this.#at, this.#at + PIECE), { stream: true })
        this.#at += PIECE
        if (this.#at < chunk.length) continue
        this.#chunk++
        this.#at = 0
      }
      return false
    } catch {
      this.isUtf8 = false
      return true
    }
  }
}

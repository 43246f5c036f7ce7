/** The JSON in the body of a large answer of a subgraph, read in slices. Reads and refuses the same as `readJson`, up to limits. */
import { inSlices, type JsonLimit, readJsonInTurns, type SlicedWork, type Turns } from '@switchyard/engine'
import type { WorkBudget } from '@switchyard/engine'
import { hasErrors, NOT_JSON, NOT_UTF8, type ReadJson, TOO_DEEP, withoutMark } from './read-json.ts'

/** Bytes that `JSON.parse` reads within a few milliseconds in most cases, and in 25 at the worst. */
export const LARGE_ANSWER = 256 * 1024

/** The values of an answer that are shown to clients nest much less. */
const MAX_DEPTH = 2000

const PROBLEMS: Readonly<Record<JsonLimit, string>> = {
  depth: TOO_DEEP,
  items: 'an answer with a list of more than 5000000 items',
  members: 'an answer with an object of more than 250000 members',
  numbers: 'an answer with a number of more than 10000 characters',
}

/** Rejects with whatever `turns` or `budget`, which takes a step for each value, throw. */
export async function readLargeJson(
  chunks: readonly Buffer[],
  exactNumbers: boolean,
  turns: Turns,
  budget: WorkBudget,
): Promise<ReadJson> {
  const decoding = new Decoding(chunks)
  const limits = {
    budget,
    maxDepth: MAX_DEPTH,
    exceeded: (limit: JsonLimit) => new ProblemError(PROBLEMS[limit]),
  }
  try {
    await inSlices(decoding, turns)
    const text = decoding.text()
    const body = await readJsonInTurns(text, turns, { ...limits, exactNumbers })
    if (exactNumbers || !hasErrors(body)) return { body }
    return { body: await readJsonInTurns(text, turns, { ...limits, exactNumbers: true }) }
  } catch (error) {
    if (error instanceof ProblemError) return { problem: error.message }
    if (error instanceof SyntaxError) return { problem: NOT_JSON }
    throw error
  }
}

/** What is wrong with an answer. */
class ProblemError extends Error {}

const BYTES_PER_STEP = 64
const PIECE = 65_536

/** Bytes become text. A byte order mark is kept: Node passes over two where the first one comes in pieces. */
class Decoding implements SlicedWork {
  readonly #chunks: readonly Buffer[]
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #pieces: string[] = []
  #chunk = 0
  /** In the chunk. */
  #at = 0

  constructor(chunks: readonly Buffer[]) {
    this.#chunks = chunks
  }

  proceed(steps: number): boolean {
    try {
      for (let left = steps * BYTES_PER_STEP; left > 0; left -= PIECE) {
        const chunk = this.#chunks[this.#chunk]
        if (chunk === undefined) {
          this.#pieces.push(this.#decoder.decode())
          return true
        }
        const piece = chunk.subarray(this.#at, this.#at + PIECE)
        this.#pieces.push(this.#decoder.decode(piece, { stream: true }))
        this.#at += PIECE
        if (this.#at < chunk.length) continue
        this.#chunk++
        this.#at = 0
      }
      return false
    } catch (error) {
      throw error instanceof TypeError ? new ProblemError(NOT_UTF8) : error
    }
  }

  text(): string {
    return withoutMark(this.#pieces.join(''))
  }
}

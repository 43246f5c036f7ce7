/**
 * The inputs that are changed further: of each size and outcome, those that were worst by one of several
 * measures.
 */
import type { Input } from './input/mutations.ts'
import type { Attempt } from './targets/target.ts'

type Member = { readonly input: Input; readonly cost: number; readonly score: number }

/** Bytes that every input has, so that a tiny one is not the worst for its size. */
const LEAST_BYTES = 300

const MEASURES: readonly ((attempt: Attempt, bytes: number) => number)[] = [
  ({ cpu }, bytes) => cpu / (bytes + LEAST_BYTES),
  ({ longestTurn }) => longestTurn,
  ({ memory }, bytes) => memory / (bytes + LEAST_BYTES),
  ({ outcome }, bytes) => outcome.bytesOut / (bytes + LEAST_BYTES),
]

/** Microseconds, roughly, that the hunter takes to make and send a byte of an input. */
const COST_OF_BYTE = 0.1

/** An input counts as worse only from this factor on. Smaller differences may be noise. */
const WORSE = 1.1

export class Elite {
  readonly #members = new Map<string, Member>()
  #list: readonly Member[] = []

  /** True if an input with these measurements would be taken. */
  wants(bytes: number, attempt: Attempt): boolean {
    return this.#places(bytes, attempt).some(
      ([key, score]) => score > WORSE * (this.#members.get(key)?.score ?? 0),
    )
  }

  offer(input: Input, bytes: number, attempt: Attempt): void {
    const cost = attempt.cpu + bytes * COST_OF_BYTE
    let isNew = false
    for (const [key, score] of this.#places(bytes, attempt)) {
      if (score <= (this.#members.get(key)?.score ?? -1)) continue
      this.#members.set(key, { input, cost, score })
      isNew = true
    }
    if (isNew) this.#list = [...this.#members.values()].sort((a, b) => a.cost - b.cost)
  }

  /** `at` from 0 to 1: the larger the number, the longer it takes to try the input. */
  pick(at: number): Input {
    const member = this.#list[Math.floor(at * this.#list.length)]
    if (member === undefined) throw new Error('Nothing was offered yet.')
    return member.input
  }

  #places(bytes: number, attempt: Attempt): readonly (readonly [string, number])[] {
    const size = Math.floor(Math.log2(bytes + 1))
    return MEASURES.map((measure, index) => [
      `${index} ${size} ${attempt.outcome.name}`,
      measure(attempt, bytes),
    ])
  }
}

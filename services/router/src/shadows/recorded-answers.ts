/**
 * The answers of subgraphs to the fetches of one request, as they were read for it. Nothing is copied: what
 * is recorded is what the request's own answer was made of.
 */
import type { FetchFunction, SubgraphReply, SubgraphRequest } from '@switchyard/engine'

/** Bytes of answers, and of what was asked for, that one request may keep. */
export const MAX_HELD = 1024 * 1024

/** An answer, and how long it took. */
export type RecordedAnswer = {
  readonly reply: SubgraphReply
  readonly milliseconds: number
}

/** Records answers by the keys of their fetches. */
export class RecordedAnswers {
  readonly #answers = new Map<string, RecordedAnswer>()
  #bytes = 0
  #isTooLarge = false

  /** Whether there was too much to be kept. Nothing is then. */
  get isTooLarge(): boolean {
    return this.#isTooLarge
  }

  /** Returns the answer to a fetch with this key; null if there was none. */
  of(key: string): RecordedAnswer | null {
    return this.#answers.get(key) ?? null
  }

  /** Counts bytes that arrived, or that are not held any more. */
  hold(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= MAX_HELD) return
    this.#isTooLarge = true
    this.#answers.clear()
  }

  /** Makes a function that fetches as `fetch` does and records what is answered. */
  recording(fetch: FetchFunction, keyOf: (request: SubgraphRequest) => string | null): FetchFunction {
    return (request, done) => {
      const began = performance.now()
      fetch(request, (reply) => {
        this.#add(keyOf(request), { reply, milliseconds: performance.now() - began })
        done(reply)
      })
    }
  }

  #add(key: string | null, answer: RecordedAnswer): void {
    if (key === null || this.#isTooLarge || answer.reply.kind === 'failure') return
    this.hold(key.length)
    if (!this.#isTooLarge) this.#answers.set(key, answer)
  }

  clear(): void {
    this.#answers.clear()
  }
}
